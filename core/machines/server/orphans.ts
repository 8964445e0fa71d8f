import type { Db } from '@trainyard/platform/server/db/schema.ts'
import type { TaggedMachine } from '@trainyard/templates/server/cloud.ts'
import { upsertOrphans, markOrphansGone } from './queries.ts'

/** @param began time at which the provider's list was requested; a machine that was deleted later is no orphan */
export async function recordOrphans(
  db: Db,
  provider: string,
  orphans: readonly TaggedMachine[],
  began: Date,
): Promise<void> {
  await upsertOrphans(db, provider, orphans, began)
  await markOrphansGone(db, provider, orphans)
}
