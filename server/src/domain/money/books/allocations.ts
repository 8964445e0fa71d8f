import { sql } from 'kysely'
import type { OrganisationId } from '@trainyard/contract/words/ids.ts'
import type { Db } from '../../../db/schema.ts'
import { NOT_REVERSED } from '../ledger/entries.ts'

/** Amount of an invoice that a receipt settles, in paise. */
export interface Applied {
  readonly invoice: string
  readonly amount: number
}

export interface Settlement {
  readonly id: number
  readonly reference: string
  /** Amount of a receipt less its refunds, or of an invoice less its credit notes; in paise. */
  readonly amount: number
  /** Invoice that the receipt names; null for an invoice, and for a receipt that names none. */
  readonly settles: string | null
}

/**
 * Returns the invoices that each receipt settles, by the ID of the receipt: first the invoice that it names, then the
 * oldest ones. The rule is the same as in `openInvoices`.
 * @param invoices oldest first
 * @param receipts in the order of addition
 */
export function allocationsOf(
  invoices: readonly Settlement[],
  receipts: readonly Settlement[],
): ReadonlyMap<number, Applied[]> {
  const open = new Map(invoices.map(({ reference, amount }) => [reference, amount]))
  const applied = new Map<number, Applied[]>()
  const apply = (id: number, invoice: string, most: number): number => {
    const amount = Math.min(most, open.get(invoice) ?? 0)
    if (amount <= 0) return most
    open.set(invoice, open.get(invoice)! - amount)
    const before = applied.get(id) ?? []
    const same = before.find((each) => each.invoice === invoice)
    applied.set(id, [...before.filter((each) => each !== same), { invoice, amount: amount + (same?.amount ?? 0) }])
    return most - amount
  }
  const remainders = receipts.map(({ id, amount, settles }) => ({
    id,
    left: settles === null ? amount : apply(id, settles, amount),
  }))
  let oldest = 0
  for (const { id, left } of remainders) {
    for (let rest = left; rest > 0 && oldest < invoices.length;) {
      const { reference } = invoices[oldest]!
      rest = apply(id, reference, rest)
      if (open.get(reference)! <= 0) oldest += 1
    }
  }
  return applied
}

export async function allocations(db: Db, organisation: OrganisationId): Promise<ReadonlyMap<number, Applied[]>> {
  const { rows: invoices } = await sql<Settlement>`
    select e.id, e.reference, null as settles, (e.amount_paise - coalesce((select sum(n.total_paise)
      from tax_document i join tax_document n on n.of_document = i.id
      where i.organisation_id = e.organisation_id and i.number = e.reference), 0))::bigint as amount
    from ledger_entry e where e.organisation_id = ${organisation} and e.kind = 'invoice' and ${NOT_REVERSED}
    order by e.date, e.id`.execute(db)
  const { rows: receipts } = await sql<Settlement>`
    select e.id, e.reference, e.settles, (e.amount_paise - coalesce((select sum(r.amount_paise) from ledger_entry r
      where r.organisation_id = e.organisation_id and r.refund_of = e.reference and e.kind = 'payment'), 0))::bigint
      as amount
    from ledger_entry e where e.organisation_id = ${organisation} and e.kind in ('payment', 'tds', 'write-off')
      and e.source <> 'issued' and ${NOT_REVERSED}
    order by e.id`.execute(db)
  return allocationsOf(invoices, receipts)
}
