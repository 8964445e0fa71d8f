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

/** Lab users whose days are over, and those whose account here was deleted. */
const timeIsOver = sql<boolean>`desired = 'ready' and (end_at <= portal_now() or account_id is null)`

/** True in SQL while the time of a lab user is up. */
export const timeIsUp = (table: LabUserTable) =>
  sql<boolean>`exists (select from ${sql.table(table)} where ${timeIsOver})`

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

/**
 * Ends those whose time is up, once they are held: of one who was renewed in the meantime it is not any more.
 * @param end ends them, here and at the provider
 */
export async function endWhoseTimeIsUp(
  db: Db,
  table: LabUserTable,
  end: (tx: Tx, ids: readonly SandboxUserId[]) => Promise<void>,
): Promise<void> {
  const ids = await labUsersWhoseTimeIsUp(db, table)
  if (ids.length === 0) return
  await db.transaction().execute(async (tx) => {
    await holdLabUsers(tx, table, ids)
    await end(tx, await labUsersWhoseTimeIsUp(tx, table, ids))
  })
}

/** Rows that one look at the clock ends at most; the next look follows within a second. */
export const ENDED_AT_ONCE = 200

/**
 * Lab users to be ended now.
 * @param among looks at these alone
 */
async function labUsersWhoseTimeIsUp(
  db: Db,
  table: LabUserTable,
  among?: readonly SandboxUserId[],
): Promise<SandboxUserId[]> {
  const due = await db
    .selectFrom(table)
    .select('id')
    .where(timeIsOver)
    .$if(among !== undefined, (q) => q.where('id', '=', sql<SandboxUserId>`any(${among}::uuid[])`))
    .orderBy('end_at')
    .limit(ENDED_AT_ONCE)
    .execute()
  return due.map(({ id }) => id)
}
