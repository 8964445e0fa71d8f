import type { CommandsOf } from '@trainyard/platform/web/shell/module.ts'
import { openInBrowser } from './open-in-browser.ts'

const commandsOf: CommandsOf = ({ me: { role }, chosen, machines }) => [
  ...(role === 'admin' || role === 'superadmin'
    ? [{ id: 'order', order: 10, label: 'Order machines', go: { to: '/createvm', search: chosen } }]
    : []),
  ...machines.map(({ machine, email }, index) => ({
    id: `open ${machine}`,
    order: 50 + index,
    label: `Open ${machine}`,
    hint: email,
    go: () => void openInBrowser(machine),
  })),
]
export default commandsOf
