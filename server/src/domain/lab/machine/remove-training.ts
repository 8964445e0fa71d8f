import { sql } from 'kysely'
import type { TrainingId } from '@trainyard/contract/words/ids.ts'
import type { Tx } from '../../../db/schema.ts'
import type { Actor } from '../../../core/actor.ts'
import { trainingInScope } from '../training/scope.ts'
import { setWindow } from '../training/window.ts'
import { lockMachines } from './record.ts'
import { wakeSecurityGroups } from './security-groups.ts'
import { want } from './wake.ts'

/**
 * Has every machine of a training deleted at the provider with all that it brought; they stay listed as terminated,
 * and the training is offered no more until somebody orders under its name. Its schedules are cancelled, nothing
 * is made ready for it, its ports are closed and its access window is removed: nothing of it holds for machines ordered under its name later.
 */
export async function removeTraining(
  tx: Tx,
  actor: Actor,
  asked: { readonly trainingName: string; readonly organization?: string | undefined },
): Promise<void> {
  const training = await trainingInScope(tx, actor, asked)
  // Orders for the same training hold its row while they add machines to it: none slips through.
  await tx.selectFrom('training').select('id').where('id', '=', training.id).forUpdate().execute()
  await tx
    .updateTable('training')
    .set({ removed_at: sql<Date>`portal_now()` })
    .where('id', '=', training.id)
    .execute()
  // Before the machines, in the order in which a schedule that fires locks them.
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
  await want(
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
  await tx.deleteFrom('port').where('training_id', '=', training).execute()
  await setWindow(tx, training, null)
}
