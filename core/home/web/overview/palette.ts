import type { CommandsOf } from '@trainyard/platform/web/shell/module.ts'

const commandsOf: CommandsOf = ({ me: { role } }) =>
  role === 'superadmin'
    ? [{ id: 'invite', order: 20, label: 'Invite a user', go: { to: '/overview', search: {} } }]
    : []
export default commandsOf
