import { sql } from 'kysely'
import type { SandboxUserId } from '@trainyard/contract/words/ids.ts'
import type { Db, Tx } from '../../../db/schema.ts'

/** Workers listen here for AWS lab users that are due. */
export const AWS_USER_DUE = 'aws_user_due'

/** Tells the workers, once this transaction is committed, that there is something to do. */
export async function nudge(tx: Tx): Promise<void> {
  await sql`select pg_notify(${AWS_USER_DUE}, '')`.execute(tx)
}

/** Ends lab users: their account here goes at once; the reconciler blocks them at AWS, deletes them, and looks again. */
export async function endAwsUsers(tx: Tx, ids: readonly SandboxUserId[]): Promise<void> {
  if (ids.length === 0) return
  await sql`select id from aws_user where id = any(${ids}::uuid[]) order by id for update`.execute(tx)
  await sql`delete from portal_user where id in (select account_id from aws_user where id = any(${ids}::uuid[]))`.execute(
    tx,
  )
  await sql`
    update aws_user set desired = 'gone', trouble = null, attempts = 0, absent_at = null,
      generation = generation + 1, reconcile_at = portal_now()
    where id = any(${ids}::uuid[]) and desired = 'ready'`.execute(tx)
  await nudge(tx)
}

/** Rows that one look at the clock ends at most; the next look follows within a second. */
const BATCH = 200

/** Ends lab users whose days are over, and those whose account here was deleted. */
export async function endAwsUsersWhoseTimeIsUp(db: Db): Promise<void> {
  const due = await db
    .selectFrom('aws_user')
    .select('id')
    .where('desired', '=', 'ready')
    .where(({ or, eb }) => or([eb('end_at', '<=', sql<Date>`portal_now()`), eb('account_id', 'is', null)]))
    .orderBy('end_at')
    .limit(BATCH)
    .execute()
  if (due.length === 0) return
  await db.transaction().execute((tx) =>
    endAwsUsers(
      tx,
      due.map(({ id }) => id),
    ),
  )
}
