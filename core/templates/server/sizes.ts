import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { selectSizes, type Sizes } from './queries.ts'

/** Returns the sizes, sorted by cores and memory. */
export async function sizesIn(db: Db, location: string): Promise<Sizes> {
  const { rows } = await selectSizes(db, location)
  return rows
}
