import { sql } from 'kysely'
import type { SandboxId, SandboxUserId } from '@trainyard/contract/words/ids.ts'
import type { Db, Tx } from '../../../db/schema.ts'

/** Workers listen here for lab users and sandboxes that are due. */
export const AZURE_USER_DUE = 'azure_user_due'
export const SANDBOX_DUE = 'sandbox_due'

/** Tells the workers, once this transaction is committed, that there is something to do. */
export async function nudge(tx: Tx, channel: typeof AZURE_USER_DUE | typeof SANDBOX_DUE): Promise<void> {
  await sql`select pg_notify(${channel}, '')`.execute(tx)
}

/**
 * Holds lab users until the transaction ends. Whoever needs both locks a user before their sandboxes, and several in
 * the order of their ids, so that no two transactions wait for each other.
 */
export async function holdUsers(tx: Tx, ids: readonly SandboxUserId[]): Promise<void> {
  await sql`select id from azure_user where id = any(${ids}::uuid[]) order by id for update`.execute(tx)
}

/** Ends sandboxes: the reconciler blocks access first, then deletes, then looks until nothing is left. */
export async function endSandboxes(tx: Tx, ids: readonly SandboxId[]): Promise<void> {
  if (ids.length === 0) return
  await sql`
    with mine as (select id from sandbox where id = any(${ids}::uuid[]) and desired <> 'gone' order by id for update)
    update sandbox s set desired = 'gone', trouble = null, attempts = 0, generation = generation + 1,
      reconcile_at = portal_now()
    from mine where s.id = mine.id`.execute(tx)
  await nudge(tx, SANDBOX_DUE)
}

/** Ends lab users: their account here goes at once, their sandboxes and the user at the provider follow. */
export async function endUsers(tx: Tx, ids: readonly SandboxUserId[]): Promise<void> {
  if (ids.length === 0) return
  await holdUsers(tx, ids)
  await sql`delete from portal_user where id in (select account_id from azure_user where id = any(${ids}::uuid[]))`.execute(
    tx,
  )
  await sql`
    update azure_user set desired = 'gone', trouble = null, attempts = 0, generation = generation + 1,
      reconcile_at = portal_now()
    where id = any(${ids}::uuid[]) and desired = 'ready'`.execute(tx)
  const sandboxes = await tx
    .selectFrom('sandbox')
    .select('id')
    .where('azure_user_id', '=', sql<SandboxUserId>`any(${ids}::uuid[])`)
    .where('desired', '<>', 'gone')
    .execute()
  await endSandboxes(
    tx,
    sandboxes.map(({ id }) => id),
  )
  await nudge(tx, AZURE_USER_DUE)
}

/** Rows that one look at the clock ends at most; the next look follows within a second. */
const BATCH = 200

/** Ends lab users whose days are over, and those whose account here was deleted. */
export async function endUsersWhoseTimeIsUp(db: Db): Promise<void> {
  const due = await db
    .selectFrom('azure_user')
    .select('id')
    .where('desired', '=', 'ready')
    .where(({ or, eb }) => or([eb('end_at', '<=', sql<Date>`portal_now()`), eb('account_id', 'is', null)]))
    .limit(BATCH)
    .execute()
  if (due.length === 0) return
  await db.transaction().execute((tx) =>
    endUsers(
      tx,
      due.map(({ id }) => id),
    ),
  )
}

/** Ends sandboxes whose deleteTime has come. */
export async function endSandboxesWhoseTimeIsUp(db: Db): Promise<void> {
  const due = await db
    .selectFrom('sandbox')
    .select('id')
    .where('desired', '<>', 'gone')
    .where('delete_at', '<=', sql<Date>`portal_now()`)
    .limit(BATCH)
    .execute()
  if (due.length === 0) return
  await db.transaction().execute((tx) =>
    endSandboxes(
      tx,
      due.map(({ id }) => id),
    ),
  )
}
