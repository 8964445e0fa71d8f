import { sql } from 'kysely'
import type { SandboxUserId } from '@trainyard/platform/contract/words/ids.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { setDesiredState } from '@trainyard/platform/server/run/reconcile/desired-state.ts'
import type { LabUserTable } from './lab-users.ts'

/** Locks a user before its sandboxes, and several in the order of their IDs, to prevent deadlocks. */
export async function lockLabUsers(tx: Tx, table: LabUserTable, ids: readonly SandboxUserId[]): Promise<void> {
  await sql`select id from ${sql.table(table)} where id = any(${ids}::uuid[]) order by id for update`.execute(tx)
}

const isExpired = sql<boolean>`desired = 'ready' and (end_at <= portal_now() or account_id is null)`

export const anyExpired = (table: LabUserTable) =>
  sql<boolean>`exists (select from ${sql.table(table)} where ${isExpired})`

/** Ends lab users. Deletes accounts in the portal immediately; the reconciler ends the users at the provider. */
export async function endLabUsers(tx: Tx, table: LabUserTable, ids: readonly SandboxUserId[]): Promise<void> {
  await lockLabUsers(tx, table, ids)
  await sql`
    delete from portal_user
    where id in (select account_id from ${sql.table(table)} where id = any(${ids}::uuid[]))`.execute(tx)
  await setDesiredState(tx, table, { rows: ids, set: sql`desired = 'gone'`, where: sql`t.desired = 'ready'` })
}

/** The end is checked again after locking, because a user may have been renewed in the meantime. */
export async function endExpired(
  db: Db,
  table: LabUserTable,
  end: (tx: Tx, ids: readonly SandboxUserId[]) => Promise<void>,
): Promise<void> {
  const ids = await expiredLabUsers(db, table)
  if (ids.length === 0) return
  await db.transaction().execute(async (tx) => {
    await lockLabUsers(tx, table, ids)
    await end(tx, await expiredLabUsers(tx, table, ids))
  })
}

/** Maximum number of users per run. The next run follows within a second. */
export const MAX_ENDED_PER_RUN = 200

/** @param among limits the result to these users, if given */
async function expiredLabUsers(
  db: Db,
  table: LabUserTable,
  among?: readonly SandboxUserId[],
): Promise<SandboxUserId[]> {
  const due = await db
    .selectFrom(table)
    .select('id')
    .where(isExpired)
    .$if(among !== undefined, (q) => q.where('id', '=', sql<SandboxUserId>`any(${among}::uuid[])`))
    .orderBy('end_at')
    .limit(MAX_ENDED_PER_RUN)
    .execute()
  return due.map(({ id }) => id)
}
