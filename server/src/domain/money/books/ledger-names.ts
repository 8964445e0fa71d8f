import { sql } from 'kysely'
import type { OrganisationId } from '@trainyard/contract/words/ids.ts'
import type { Tx } from '../../../db/schema.ts'

/**
 * Stores the ledger names of customers with entries in bookkeeping programs. The name is the legal name at the first
 * export. It does not change, so that a renamed customer keeps one ledger.
 */
export async function nameCustomerLedgers(tx: Tx, organisation: OrganisationId | null): Promise<void> {
  const { rows } = await sql<{ id: OrganisationId; name: string }>`
    select o.id, left(coalesce(b.legal_name, o.name), 180) as name
    from organisation o left join organisation_billing b on b.organisation_id = o.id
    where (${organisation}::uuid is null or o.id = ${organisation})
      and exists (select from ledger_entry e where e.organisation_id = o.id)
      and not exists (select from customer_ledger l where l.organisation_id = o.id)
    order by o.created_at, o.id`.execute(tx)
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
