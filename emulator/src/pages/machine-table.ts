import type { AzureCloud } from '#src/azure/cloud.ts'
import type { Machine } from '#src/azure/compute/machines.ts'
import { iso } from '#src/clock/clock.ts'
import { html, table, when, type Html } from '#src/pages/html.ts'

const most = 500

export function machineTable(cloud: AzureCloud): Html {
  const machines = cloud.book.all<Machine>(
    'SELECT * FROM machine WHERE deleted_at IS NULL ORDER BY created_at DESC, key LIMIT ?',
    most,
  )
  if (machines.length === 0) return html`<p class="quiet">No machine stands.</p>`
  return html`<p class="quiet">
      Machines that stand, the newest first${machines.length === most ? `; the first ${most}` : ''}.
    </p>
    ${table(
      ['Name', 'Resource group', 'Power', 'Size', 'System', 'Created'],
      machines.map((machine) => [
        machine.name,
        machine.group_name,
        machine.power ?? cloud.resources.find(machine.key)?.state ?? '',
        machine.size,
        machine.os,
        when(iso(machine.created_at)),
      ]),
    )}`
}
