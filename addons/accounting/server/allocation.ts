import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { selectAllocations, type Applied } from './queries.ts'

/**
 * Returns the invoices that each receipt settles, by the ID of the receipt. The invoice that the receipt names is
 * first.
 */
export async function allocations(db: Db, organisation: OrganisationId): Promise<ReadonlyMap<number, Applied[]>> {
  const { rows } = await selectAllocations(db, organisation)
  return new Map(rows.map(({ receipt, applied }) => [receipt, applied]))
}
