import type { CommandsOf } from '@trainyard/platform/web/shell/module.ts'

const commandsOf: CommandsOf = ({ me: { role }, chosen }) =>
  role === 'admin' || role === 'superadmin'
    ? [{ id: 'order', order: 10, label: 'Order machines', go: { to: '/createvm', search: chosen } }]
    : []
export default commandsOf
