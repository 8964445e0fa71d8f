import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { selectSizes, type OfferingPlace, type Sizes } from './queries.ts'

/** Returns the sizes, sorted by cores and memory. */
export async function sizesIn(db: Db, at: OfferingPlace): Promise<Sizes> {
  const { rows } = await selectSizes(db, at)
  return rows
}
