import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import { selectLedgerNames } from './queries.ts'

/**
 * Stores the ledger names of customers with entries in bookkeeping programs. The name is the legal name at the first
 * export. It does not change, so that a renamed customer keeps one ledger.
 */
export async function nameCustomerLedgers(tx: Tx, organisation: OrganisationId | null): Promise<void> {
  const { rows } = await selectLedgerNames(tx, organisation)
  for (const { id, name } of rows) {
    for (let count = 1; !(await store(tx, id, count === 1 ? name : `${name} (${count})`)); count++);
  }
}

/** Stores the name. Returns false if the name of another customer's ledger looks the same. */
async function store(tx: Tx, id: OrganisationId, name: string): Promise<boolean> {
  const stored = await tx
    .insertInto('customer_ledger')
    .values({ organisation_id: id, name })
    .onConflict((on) => on.doNothing())
    .returning('name')
    .executeTakeFirst()
  if (stored !== undefined) return true
  const own = await tx.selectFrom('customer_ledger').select('name').where('organisation_id', '=', id).executeTakeFirst()
  return own !== undefined
}
