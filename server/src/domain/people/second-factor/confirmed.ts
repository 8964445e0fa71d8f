import { sql } from 'kysely'
import { CONFIRMED_MINUTES, SECOND_FACTOR } from '@trainyard/contract/words/second-factor.ts'
import type { Tx } from '../../../db/schema.ts'
import { Problem } from '../../../core/errors.ts'

/**
 * Refuses a change of how one signs in to a session whose person proved too long ago who they are: a browser left open is
 * not enough for it. Signing in is such a proof.
 * @throws Problem confirmFirst
 */
export async function mustBeConfirmed(tx: Tx, sessionHash: Buffer | null): Promise<void> {
  const confirmed = await tx
    .selectFrom('session')
    .select('user_id')
    .where('token_hash', '=', sessionHash!)
    .where('confirmed_at', '>', sql<Date>`portal_now() - make_interval(mins => ${CONFIRMED_MINUTES})`)
    .executeTakeFirst()
  if (confirmed === undefined) throw new Problem('confirmFirst', SECOND_FACTOR.confirm)
}

/** Notes that the person of a session has proved anew who they are. */
export async function noteConfirmed(tx: Tx, sessionHash: Buffer | null): Promise<void> {
  await tx
    .updateTable('session')
    .set({ confirmed_at: sql<Date>`portal_now()` })
    .where('token_hash', '=', sessionHash!)
    .execute()
}
