import { sql } from 'kysely'
import type { TrainingId } from '@trainyard/contract/words/ids.ts'
import type { Tx } from '../../../db/schema.ts'
import type { Actor } from '../../../core/actor.ts'
import { trainingInScope } from '../training/scope.ts'
import { setWindow } from '../training/window.ts'
import { lockMachines } from './record.ts'
import { wakeSecurityGroups } from './security-groups.ts'
import { setDesiredPower } from './desired-power.ts'
import { removePlannedSessions } from './queries.ts'
import { markRemoved } from '../training/existence.ts'
import { sessionsChanged } from '../../../core/session-changes.ts'

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
  // Orders lock the same row while they add machines, so this transaction finds every new machine.
  await tx.selectFrom('training').select('id').where('id', '=', training.id).forUpdate().execute()
  await markRemoved(tx, { id: training.id, organisation: training.organisationId })
  // Plans are cancelled before the machines change, because a schedule that runs locks the rows in this order.
  await cancelPlans(tx, training.id)
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
  await wakeSecurityGroups(tx, training.id)
}

async function cancelPlans(tx: Tx, training: TrainingId): Promise<void> {
  await tx
    .updateTable('schedule')
    .set({ removed_at: sql<Date>`portal_now()` })
    .where('training_id', '=', training)
    .where('completed_at', 'is', null)
    .where('removed_at', 'is', null)
    .execute()
  await removePlannedSessions(tx, training)
  await tx
    .updateTable('recurrence')
    .set({ removed_at: sql<Date>`portal_now()` })
    .where('training_id', '=', training)
    .where('removed_at', 'is', null)
    .execute()
  await tx
    .updateTable('ready_by')
    .set({ removed_at: sql<Date>`portal_now()` })
    .where('training_id', '=', training)
    .where('started_at', 'is', null)
    .where('removed_at', 'is', null)
    .execute()
  await tx.updateTable('training').set({ ends_on: null }).where('id', '=', training).execute()
  await tx.deleteFrom('roster').where('training_id', '=', training).execute()
  await tx.deleteFrom('training_instructor').where('training_id', '=', training).execute()
  await sessionsChanged(tx)
  await tx.deleteFrom('port').where('training_id', '=', training).execute()
  await setWindow(tx, training, null)
}
