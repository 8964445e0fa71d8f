import { sql } from 'kysely'
import { CONFIRMED_MINUTES, SECOND_FACTOR } from '@trainyard/contract/words/second-factor.ts'
import type { Tx } from '../../../db/schema.ts'
import { Problem } from '../../../core/errors.ts'

/** An unattended browser must not change sign-in settings. @throws Problem confirmFirst */
export async function requireRecentConfirmation(tx: Tx, sessionHash: Buffer | null): Promise<void> {
  const confirmed = await tx
    .selectFrom('session')
    .select('user_id')
    .where('token_hash', '=', sessionHash!)
    .where('confirmed_at', '>', sql<Date>`portal_now() - make_interval(mins => ${CONFIRMED_MINUTES})`)
    .executeTakeFirst()
  if (confirmed === undefined) throw new Problem('confirmFirst', SECOND_FACTOR.confirm)
}

export async function recordConfirmation(tx: Tx, sessionHash: Buffer | null): Promise<void> {
  await tx
    .updateTable('session')
    .set({ confirmed_at: sql<Date>`portal_now()` })
    .where('token_hash', '=', sessionHash!)
    .execute()
}
