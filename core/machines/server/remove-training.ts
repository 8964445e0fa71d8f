import { emit } from '@trainyard/platform/server/core/events.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import { markRemoved } from '@trainyard/trainings/server/existence.ts'
import { trainingInScope } from '@trainyard/trainings/server/scope.ts'
import { setDesiredPower } from './desired-power.ts'
import { machinesDeleted } from './events.ts'
import { lockMachines } from './record.ts'

/**
 * Removes a training and its plans, because the plans must not apply to machines that are later ordered under the same
 * name. Machines are still listed as terminated.
 */
export async function removeTraining(
  tx: Tx,
  actor: Actor,
  request: { readonly trainingName: string; readonly organization?: string | undefined },
): Promise<void> {
  const training = await trainingInScope(tx, actor, request)
  // Orders lock the same row while they add machines, so this transaction finds every new machine. The lock lets others
  // add rows that refer to the training: a worker that holds a machine would wait for it, and it for the machine.
  await tx.selectFrom('training').select('id').where('id', '=', training.id).forNoKeyUpdate().execute()
  // Plans are cancelled before the machines change, because a schedule that runs locks the rows in this order.
  await markRemoved(tx, { id: training.id, organisation: training.organisationId })
  const live = await tx
    .selectFrom('machine')
    .select('id')
    .where('training_id', '=', training.id)
    .where('terminated_at', 'is', null)
    .execute()
  const machines = await lockMachines(
    tx,
    live.map(({ id }) => id),
  )
  await setDesiredPower(
    tx,
    machines.map(({ id }) => id),
    'gone',
  )
  await emit(tx, machinesDeleted, [training.id])
}
