import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { insertStretches, deleteOldStretches } from './queries.ts'

/** Records activity. Time without measurements is not stored. */
export async function recordActivity(db: Db): Promise<void> {
  await insertStretches(db)
  await deleteOldStretches(db)
}
