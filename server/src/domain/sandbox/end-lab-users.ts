import { sql } from 'kysely'
import type { SandboxUserId } from '@trainyard/contract/words/ids.ts'
import type { Db, Tx } from '../../db/schema.ts'
import type { LabUserTable } from './lab-users.ts'

/**
 * Holds lab users until the transaction ends. Whoever needs both locks a user before their sandboxes, and several in
 * the order of their ids, so that no two transactions wait for each other.
 */
export async function holdLabUsers(tx: Tx, table: LabUserTable, ids: readonly SandboxUserId[]): Promise<void> {
  await sql`select id from ${sql.table(table)} where id = any(${ids}::uuid[]) order by id for update`.execute(tx)
}

/** Their account here goes at once; the reconciler, which is to be told, ends them at the provider. */
export async function endLabUsers(tx: Tx, table: LabUserTable, ids: readonly SandboxUserId[]): Promise<void> {
  await holdLabUsers(tx, table, ids)
  await sql`
    delete from portal_user
    where id in (select account_id from ${sql.table(table)} where id = any(${ids}::uuid[]))`.execute(tx)
  await sql`
    update ${sql.table(table)} set desired = 'gone', last_error = null, attempts = 0, generation = generation + 1,
      reconcile_at = portal_now()
    where id = any(${ids}::uuid[]) and desired = 'ready'`.execute(tx)
}

/** Rows that one look at the clock ends at most; the next look follows within a second. */
export const ENDED_AT_ONCE = 200

/** Lab users whose days are over, and those whose account here was deleted. */
export async function labUsersWhoseTimeIsUp(db: Db, table: LabUserTable): Promise<SandboxUserId[]> {
  const due = await db
    .selectFrom(table)
    .select('id')
    .where('desired', '=', 'ready')
    .where(({ or, eb }) => or([eb('end_at', '<=', sql<Date>`portal_now()`), eb('account_id', 'is', null)]))
    .orderBy('end_at')
    .limit(ENDED_AT_ONCE)
    .execute()
  return due.map(({ id }) => id)
}
