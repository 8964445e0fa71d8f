import { sql } from 'kysely'
import type { SandboxId, SandboxUserId } from '@trainyard/platform/contract/words/ids.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { setDesiredState } from '@trainyard/platform/server/run/reconcile/desired-state.ts'
import { MAX_ENDED_PER_RUN, endLabUsers, endExpired } from '@trainyard/lab-users/server/end-lab-users.ts'

/** Ends sandboxes: the reconciler blocks access, deletes the groups, and polls until nothing remains. */
export async function endSandboxes(tx: Tx, ids: readonly SandboxId[]): Promise<void> {
  await setDesiredState(tx, 'sandbox', { rows: ids, set: sql`desired = 'gone'`, where: sql`t.desired <> 'gone'` })
}

/** Ends lab users. Accounts in the portal are deleted immediately; sandboxes and users at the provider follow. */
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
}

export async function endExpiredAzureUsers(db: Db): Promise<void> {
  await endExpired(db, 'azure_user', endAzureUsers)
}

const isSandboxExpired = sql<boolean>`desired <> 'gone' and delete_at <= portal_now()`

export const SANDBOX_EXPIRED = sql<boolean>`(
  select true from sandbox where ${isSandboxExpired} order by delete_at limit 1)`

export async function endExpiredSandboxes(db: Db): Promise<void> {
  const due = await db.selectFrom('sandbox').select('id').where(isSandboxExpired).limit(MAX_ENDED_PER_RUN).execute()
  const ids = due.map(({ id }) => id)
  if (ids.length > 0) await db.transaction().execute((tx) => endSandboxes(tx, ids))
}
