import { api } from '#src/api/client.ts'
import type { CommandsOf } from '#src/shell/module.ts'
import { report } from '#src/ui/report.ts'

/** A superadmin creates the demo class in the selected organisation. */
const commandsOf: CommandsOf = ({ me: { role, organization: own, abilities }, chosen }) => {
  const organization = role === 'superadmin' ? chosen.organization : own
  if (organization === undefined || !abilities.includes('firstSteps.createDemoClass')) return []
  return [
    {
      id: 'demo class',
      order: 30,
      label: 'Try a demo class',
      hint: organization,
      go: () => void report(() => api.firstSteps.createDemoClass({ organization }), 'home', 'training'),
    },
  ]
}
export default commandsOf
