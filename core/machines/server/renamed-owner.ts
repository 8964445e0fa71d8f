import type { machineEvents } from '../contract/machine-event.ts'
import type { RowOf } from '@trainyard/platform/server/core/events.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import type { usersRenamed } from '@trainyard/users/server/address.ts'
import { publish } from '@trainyard/users/server/notices.ts'
import { machinesChanged } from '@trainyard/trainings/server/machine-changes.ts'
import { updateMachineOwner } from './queries.ts'

/**
 * Moves the machines of users whose address changes. The passwords do not change, because the machines belong to the
 * same person.
 */
export async function moveMachines(tx: Tx, renamed: readonly RowOf<typeof usersRenamed>[]): Promise<void> {
  for (const { organisation, from, to } of renamed) {
    const { rows } = await updateMachineOwner(tx, to, organisation, from)
    await machinesChanged(
      tx,
      rows.map(({ id }) => id),
    )
    await publish<typeof machineEvents>(
      tx,
      rows.map(({ id, name, training }) => ({
        organisation,
        type: 'machine.assigned' as const,
        resource: `machine:${id}`,
        training,
        data: { machine: { id, name }, learner: to, formerLearner: from },
      })),
    )
  }
}
