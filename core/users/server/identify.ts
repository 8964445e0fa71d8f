import { sql } from 'kysely'
import type { SecondFactorRule } from '@trainyard/platform/contract/words/sign-in.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import type { FoundSession } from '@trainyard/platform/server/core/identity.ts'
import { selectSession, unseen } from './queries.ts'
import { dutyOf } from './restricted.ts'

/** Returns the valid session with the hash of a token. */
export async function findSession(
  db: Db,
  { hash, rule }: { readonly hash: Buffer; readonly rule: SecondFactorRule },
): Promise<FoundSession | null> {
  const row = await selectSession(db, hash, rule).executeTakeFirst()
  if (row === undefined) return null
  const { id, email, role } = row
  const organisation =
    row.organisation_id === null
      ? null
      : { id: row.organisation_id, name: row.name!, timeZone: row.time_zone!, logo: row.logo }
  return {
    actor: { id, email, role, organisation },
    unseen: row.unseen,
    mustChangePassword: row.must_change_password,
    duty: dutyOf(row.duty),
    user: { name: row.user_name, leadsClasses: row.leads_classes },
    isConfirmed: row.confirmed,
    recordUse: (at, address) => recordSessionUse(at, hash, address),
  }
}

/** Records the time and address of the last use of a session, at most once a minute. */
export async function recordSessionUse(db: Db, tokenHash: Buffer, address: string): Promise<void> {
  await db
    .updateTable('session')
    .set({ seen_at: sql<Date>`portal_now()`, address })
    .where('token_hash', '=', tokenHash)
    .where(unseen)
    .execute()
}
