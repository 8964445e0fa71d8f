import type { AzureCloud } from '#src/azure/cloud.ts'
import type { Machine } from '#src/azure/compute/machines.ts'
import { iso } from '#src/clock/clock.ts'
import { html, table, formatInstant, type Html } from '#src/pages/html.ts'

const maxRows = 500

export function machineTable(cloud: AzureCloud): Html {
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
