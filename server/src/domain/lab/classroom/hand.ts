import { sql } from 'kysely'
import type { TrainingId } from '@trainyard/contract/words/ids.ts'
import type { Actor } from '../../../core/actor.ts'
import { notFound } from '../../../core/errors.ts'
import type { Tx } from '../../../db/schema.ts'
import { leadsClass } from '../training/instructor.ts'
import { trainingInScope } from '../training/scope.ts'

interface HandOf {
  readonly trainingName: string
  readonly organization?: string | undefined
}

/** A hand that is already raised keeps its time. */
export async function raiseHand(tx: Tx, actor: Actor, of: HandOf): Promise<void> {
  const { id, organisationId } = await trainingInScope(tx, actor, of)
  await requireMachineOf(tx, id, actor.email)
  await tx
    .insertInto('raised_hand')
    .values({ training_id: id, organisation_id: organisationId, email: actor.email })
    .onConflict((on) => on.doNothing())
    .execute()
}

/** @throws Problem notFound if that learner has no machine in the training, or a learner names another */
export async function lowerHand(
  tx: Tx,
  actor: Actor,
  of: HandOf & { readonly email?: string | undefined },
): Promise<void> {
  const { id } = await trainingInScope(tx, actor, of)
  const email = of.email ?? actor.email
  if (email !== actor.email && !(await leadsClass(tx, actor, id))) throw notFound('learner')
  await requireMachineOf(tx, id, email)
  await tx.deleteFrom('raised_hand').where('training_id', '=', id).where('email', '=', email).execute()
}

async function requireMachineOf(tx: Tx, training: TrainingId, email: string): Promise<void> {
  const { rows } = await sql`
    select from machine where training_id = ${training} and email = ${email} limit 1`.execute(tx)
  if (rows.length === 0) throw notFound('learner')
}
