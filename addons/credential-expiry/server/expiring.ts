import type { Again } from '@trainyard/platform/server/run/reconcile/task.ts'
import { sql } from 'kysely'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { expiringCredentials } from '../contract/expiring.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { CloudError } from '@trainyard/platform/server/providers/errors.ts'
import type { ExpiringCredential } from '@trainyard/sandbox-azure/server/identity-provider.ts'
import { selectExpiringCredentials } from './queries.ts'

const UNREADABLE_RETRY_SECONDS = 3_600

/**
 * Stores when the portal's credentials expire. Retains the stored credentials if the provider refuses to show them.
 */
export async function recordExpiring(
  db: Db,
  find: (signal: AbortSignal) => Promise<readonly ExpiringCredential[]>,
  { signal, logMessage }: { readonly signal: AbortSignal; readonly logMessage: (sentence: string) => void },
): Promise<Again | void> {
  let found: readonly ExpiringCredential[]
  try {
    found = await find(signal)
  } catch (error) {
    if (!(error instanceof CloudError) || error.kind !== 'unauthorised') throw error
    logMessage(`The portal cannot check when its credentials expire: ${error.message}`)
    return { inSeconds: UNREADABLE_RETRY_SECONDS }
  }
  await db.transaction().execute(async (tx) => {
    await tx.deleteFrom('expiring_credential').execute()
    for (const { what: name, endsAt: ends_at } of found) {
      await tx
        .insertInto('expiring_credential')
        .values({ name, ends_at })
        .onConflict((on) =>
          on.column('name').doUpdateSet({ ends_at: sql<Date>`least(expiring_credential.ends_at, excluded.ends_at)` }),
        )
        .execute()
    }
  })
}

export async function listExpiring(db: Db): Promise<ReplyOf<typeof expiringCredentials.expiring>> {
  const { rows } = await selectExpiringCredentials(db)
  return { credentials: rows }
}
