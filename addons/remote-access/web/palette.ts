import { openInTab } from '@trainyard/machines/web/open-in-browser.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import type { CommandsOf } from '@trainyard/platform/web/shell/module.ts'

const commandsOf: CommandsOf = ({ machines }) =>
  machines.map(({ machine, email }, index) => ({
    id: `open ${machine}`,
    order: 50 + index,
    label: `Open ${machine}`,
    hint: email,
    go: () => void openInTab(() => api.remote.ticket({ vmName: machine })),
  }))
export default commandsOf
