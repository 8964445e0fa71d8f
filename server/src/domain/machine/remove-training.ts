import type { Tx } from '../../db/schema.ts'
import type { Actor } from '../../http/actor.ts'
import { trainingInReach } from '../training/reach.ts'
import { lockMachines } from './record.ts'
import { want } from './wake.ts'

/** Has every machine of a training deleted at the provider with all that it brought; they stay listed as terminated. */
export async function removeTraining(
  tx: Tx,
  actor: Actor,
  asked: { readonly trainingName: string; readonly organization?: string | undefined },
): Promise<void> {
  const training = await trainingInReach(tx, actor, asked)
  // Orders for the same training hold its row while they add machines to it: none slips through.
  await tx.selectFrom('training').select('id').where('id', '=', training.id).forUpdate().execute()
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
}
