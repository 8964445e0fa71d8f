import type { AzureContext } from './arm/mount.ts'
import type { AzureCloud } from './cloud.ts'
import type { Machine } from './compute/machines.ts'
import { iso } from '@trainyard/platform/emulator/clock/clock.ts'
import { html, table, formatInstant, type Html } from '@trainyard/platform/emulator/pages/html.ts'
import { sendPage } from '@trainyard/platform/emulator/pages/send-page.ts'

const maxRows = 500
const PAGE = '/machines'

export function mountMachinePage(context: AzureContext): void {
  const { server, cloud, clock, tabs } = context
  tabs.push({ path: PAGE, title: 'Machines' })
  server.get(PAGE, (_request, reply) => {
    cloud.operations.settle(clock.now())
    const months = [0, 1].map((monthsBack) => monthBefore(new Date(clock.now()), monthsBack))
    const bills = html`<p>
      Cost exports in the format of Azure (FOCUS):
      ${months.map((month) => html`<a href="/_costs?month=${month}" download>${month}</a> `)}
    </p>`
    return sendPage(reply, context, 'Machines', html`${bills}${machineTable(cloud)}`, PAGE)
  })
}

const monthBefore = (now: Date, monthsBack: number): string =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - monthsBack, 1)).toISOString().slice(0, 7)

function machineTable(cloud: AzureCloud): Html {
  const machines = cloud.database.all<Machine>(
    'SELECT * FROM machine WHERE deleted_at IS NULL ORDER BY created_at DESC, key LIMIT ?',
    maxRows,
  )
  if (machines.length === 0) return html`<p class="quiet">No machines exist.</p>`
  return html`<p class="quiet">
      Existing machines, the newest first${machines.length === maxRows ? `; the first ${maxRows}` : ''}.
    </p>
    ${table(
      ['Name', 'Resource group', 'Power', 'Size', 'System', 'Created'],
      machines.map((machine) => [
        machine.name,
        machine.group_name,
        machine.power ?? cloud.resources.find(machine.key)?.state ?? '',
        machine.size,
        machine.os,
        formatInstant(iso(machine.created_at)),
      ]),
    )}`
}
