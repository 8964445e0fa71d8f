import { sql } from 'kysely'
import type { SandboxId, SandboxUserId } from '@trainyard/contract/words/ids.ts'
import { notifyWorkers } from '../../../db/listen.ts'
import type { Db, Tx } from '../../../db/schema.ts'
import { ENDED_AT_ONCE, endLabUsers, endWhoseTimeIsUp } from '../end-lab-users.ts'

/** Workers listen here for lab users and sandboxes that are due. */
export const AZURE_USER_DUE = 'azure_user_due'
export const SANDBOX_DUE = 'sandbox_due'

/** Ends sandboxes: the reconciler blocks access first, then deletes, then looks until nothing is left. */
export async function endSandboxes(tx: Tx, ids: readonly SandboxId[]): Promise<void> {
  await sql`
    with mine as (select id from sandbox where id = any(${ids}::uuid[]) and desired <> 'gone' order by id for update)
    update sandbox s set desired = 'gone', last_error = null, attempts = 0, generation = generation + 1,
      reconcile_at = portal_now()
    from mine where s.id = mine.id`.execute(tx)
  await notifyWorkers(tx, SANDBOX_DUE)
}

/** Ends lab users: their account here goes at once, their sandboxes and the user at the provider follow. */
export async function endAzureUsers(tx: Tx, ids: readonly SandboxUserId[]): Promise<void> {
  await endLabUsers(tx, 'azure_user', ids)
  const sandboxes = await tx
    .selectFrom('sandbox')
    .select('id')
    .where('azure_user_id', 'in', ids)
    .where('desired', '<>', 'gone')
    .execute()
  await endSandboxes(
    tx,
    sandboxes.map(({ id }) => id),
  )
  await notifyWorkers(tx, AZURE_USER_DUE)
}

/** Ends lab users whose days are over, and those whose account here was deleted. */
export async function endAzureUsersWhoseTimeIsUp(db: Db): Promise<void> {
  await endWhoseTimeIsUp(db, 'azure_user', endAzureUsers)
}

/** Sandboxes that stand though their deleteTime has come. */
const sandboxTimeIsUp = sql<boolean>`desired <> 'gone' and delete_at <= portal_now()`

/** True in SQL while a sandbox stands whose deleteTime has come; else null. */
export const SANDBOX_TIME_IS_UP = sql<boolean>`(
  select true from sandbox where ${sandboxTimeIsUp} order by delete_at limit 1)`

/** Ends sandboxes whose deleteTime has come. */
export async function endSandboxesWhoseTimeIsUp(db: Db): Promise<void> {
  const due = await db.selectFrom('sandbox').select('id').where(sandboxTimeIsUp).limit(ENDED_AT_ONCE).execute()
  const ids = due.map(({ id }) => id)
  if (ids.length > 0) await db.transaction().execute((tx) => endSandboxes(tx, ids))
}
