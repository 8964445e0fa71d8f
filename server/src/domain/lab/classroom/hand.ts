import { sql } from 'kysely'
import type { Actor } from '../../../core/actor.ts'
import { notFound } from '../../../core/errors.ts'
import type { Tx } from '../../../db/schema.ts'
import { onlyOwn, trainingInScope } from '../training/scope.ts'

interface Of {
  readonly trainingName: string
  readonly organization?: string | undefined
}

/** Raises the learner's own hand; one that is raised keeps its time. */
export async function raiseHand(tx: Tx, actor: Actor, of: Of): Promise<void> {
  const { id, organisationId } = await trainingInScope(tx, actor, of)
  await tx
    .insertInto('raised_hand')
    .values({ training_id: id, organisation_id: organisationId, email: actor.email })
    .onConflict((on) => on.doNothing())
    .execute()
}

/**
 * Takes a hand down: one's own, or for an instructor that of the learner named.
 * @throws Problem notFound where that learner has no machine in the training, or is another learner
 */
export async function lowerHand(tx: Tx, actor: Actor, of: Of & { readonly email?: string | undefined }): Promise<void> {
  const { id } = await trainingInScope(tx, actor, of)
  const email = of.email ?? actor.email
  const own = onlyOwn(actor)
  if (own !== null && own !== email) throw notFound('learner')
  const { rows } = await sql`select from machine where training_id = ${id} and email = ${email} limit 1`.execute(tx)
  if (rows.length === 0) throw notFound('learner')
  await tx.deleteFrom('raised_hand').where('training_id', '=', id).where('email', '=', email).execute()
}
