import { DEMO_CLASS } from '@trainyard/contract/words/demo-class.ts'
import { api } from '#src/api/client.ts'
import type { CommandsOf } from '#src/shell/module.ts'
import { ConfirmDialog } from '#src/ui/ConfirmDialog.tsx'
import { report } from '#src/ui/report.ts'

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
