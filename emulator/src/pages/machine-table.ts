import type { AzureCloud } from '#src/azure/cloud.ts'
import type { Machine } from '#src/azure/compute/machines.ts'
import { iso } from '#src/clock/clock.ts'
import { html, when, type Html } from '#src/pages/html.ts'

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
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Resource group</th>
            <th scope="col">Power</th>
            <th scope="col">Size</th>
            <th scope="col">System</th>
            <th scope="col">Created</th>
          </tr>
        </thead>
        <tbody>
          ${machines.map(
            (machine) =>
              html` <tr>
                <td>${machine.name}</td>
                <td>${machine.group_name}</td>
                <td>${machine.power ?? cloud.resources.find(machine.key)?.state ?? ''}</td>
                <td>${machine.size}</td>
                <td>${machine.os}</td>
                <td>${when(iso(machine.created_at))}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`
}
