import { DEMO_CLASS } from '../contract/demo-class.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import type { CommandsOf } from '@trainyard/platform/web/shell/module.ts'
import { ConfirmDialog } from '@trainyard/platform/web/ui/ConfirmDialog.tsx'
import { report } from '@trainyard/platform/web/ui/report.ts'

/** A superadmin creates the demo class in the selected organisation. */
const commandsOf: CommandsOf = ({ me: { role, organization: own, abilities }, chosen, openDialog }) => {
  const organization = role === 'superadmin' ? chosen.organization : own
  if (organization === undefined || !abilities.includes('firstSteps.createDemoClass')) return []
  const create = () => void report(() => api.firstSteps.createDemoClass({ organization }), 'home', 'training')
  return [
    {
      id: 'demo class',
      order: 30,
      label: 'Try a demo class',
      hint: organization,
      go: () =>
        openDialog((close) => (
          <ConfirmDialog
            title="Try a demo class"
            confirm={`Create ${DEMO_CLASS.seats} machines`}
            close={close}
            onConfirm={() => {
              close()
              create()
            }}
          >
            <p>
              {organization} gets {DEMO_CLASS.seats} emulated machines, ready within minutes. They appear on its bill
              until the class is deleted.
            </p>
          </ConfirmDialog>
        )),
    },
  ]
}
export default commandsOf
