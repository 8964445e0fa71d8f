import { sql, type RawBuilder } from 'kysely'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { gstReturn } from '../../contract/gst-return.ts'
import type { TaxDocument } from '@trainyard/invoices/contract/invoice.ts'
import type { EntryKind } from '@trainyard/ledger/contract/entry.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { isOfCancelled, NOT_REVERSED } from '@trainyard/ledger/server/entries.ts'
import { isCancelled } from '@trainyard/invoices/server/conditions.ts'
import { IS_WITHHELD } from '@trainyard/invoices/server/conditions.ts'
import type { ReturnDocument, Series } from './gstr-1.ts'

export type Document = Pick<TaxDocument, 'items' | 'totals' | 'placeOfSupply' | 'supplier' | 'supplyType'>

export interface AdvanceEntry {
  readonly organisation: string
  readonly kind: EntryKind
  readonly reference: string
  /** Payment that a refund or a reversal returns. */
  readonly of: string | null
  /** YYYY-MM-DD. */
  readonly date: string
  readonly amount: number
  /** Receipt voucher of a payment, or refund voucher of a refund. */
  readonly voucher: Document | null
}

/** Condition for entries of the alias `e` that are invoices whose tax was entered. A reversed one is not in the return. */
const isEnteredInReturn = (gstin: string): RawBuilder<boolean> =>
  sql<boolean>`(e.entered_document is not null and e.entered_document #>> '{supplier,gstin}' = ${gstin} and ${NOT_REVERSED})`

export const HEADS = {
  sales: 'Sales',
  output_cgst: 'Output CGST',
  output_sgst: 'Output SGST and UTGST',
  output_igst: 'Output IGST',
} as const

export type Head = keyof typeof HEADS

export type Reply = ReplyOf<typeof gstReturn.read>

export type Entry = Reply['entries'][number]

export const selectAdvanceEntries = (db: Db, gstin: string) =>
  sql<AdvanceEntry>`
    select e.organisation_id as organisation, e.kind, e.reference, coalesce(e.refund_of, e.reverses) as of, e.date,
      e.amount_paise as amount, d.content - 'lines' as voucher
    from ledger_entry e left join tax_document d on d.organisation_id = e.organisation_id and d.supplier_gstin = ${gstin}
        and ((e.kind = 'payment' and e.source <> 'issued' and d.payment = e.reference)
          or (e.kind = d.refund_kind and d.refund = e.reference))
    where e.organisation_id in (select organisation_id from tax_document
      where kind = 'receipt voucher' and supplier_gstin = ${gstin})
      and not ${isOfCancelled('e')}
    order by e.organisation_id, e.id`.execute(db)

export const selectDocumentsOfReturn = (db: Db, gstin: string, from: string, to: string) =>
  sql<ReturnDocument>`
    select document, original from (
      select d.content - 'lines' as document, i.content - 'lines' as original, d.issued_on, d.prefix, d.serial
      from tax_document d left join tax_document i on i.id = d.of_document
      where d.supplier_gstin = ${gstin} and d.issued_on between ${from}::date and ${to}::date
        and d.kind in ('invoice', 'credit note', 'debit note') and not ${isCancelled('d')}
      union all
      select e.entered_document as document, null, e.date, null, e.id from ledger_entry e
      where e.date between ${from}::date and ${to}::date and ${isEnteredInReturn(gstin)}) d
    order by issued_on, prefix, serial`.execute(db)

export const countNumbers = (db: Db, gstin: string, from: string, to: string) =>
  sql<Series>`
    select kind, min(number) as from, max(number) as to, count(*)::int as count,
      (count(*) filter (where ${isCancelled('d')}))::int as cancelled from tax_document d
    where supplier_gstin = ${gstin} and issued_on between ${from}::date and ${to}::date
    group by kind, prefix, financial_year
    union all
    select 'invoice', reference, reference, 1, 0 from ledger_entry e
    where date between ${from}::date and ${to}::date and ${isEnteredInReturn(gstin)}
    order by 1, 2`.execute(db)

export const selectTaxComparison = (db: Db, gstin: string, from: string, to: string) =>
  sql<{ head: Head; ledger: number; listed: number }>`
    select case p.account when 'output_utgst' then 'output_sgst' else p.account end as head,
      -sum(p.paise)::bigint as ledger,
      coalesce(-sum(p.paise) filter (where not coalesce(d.supplier_gstin = ${gstin}, ${isEnteredInReturn(gstin)}, false)), 0)::bigint as listed
    from ledger_entry e join posting p on p.entry_id = e.id
      left join tax_document d on d.organisation_id = e.organisation_id and e.source = 'issued'
        and d.number = coalesce(e.reverses, e.reference) and d.entry_kind = coalesce(e.reversed_kind, e.kind)
    where e.date between ${from}::date and ${to}::date
      and p.account in ('sales', 'output_cgst', 'output_sgst', 'output_utgst', 'output_igst')
    group by 1`.execute(db)

export const selectEntriesToCheck = (db: Db, gstin: string, from: string, to: string) =>
  sql<Entry>`
    select e.reference as number, o.name as organization, e.date,
      balance_change(e.kind, e.amount_paise)::bigint as "totalPaise", why.reason
    from ledger_entry e join organisation o on o.id = e.organisation_id
      left join tax_document d on d.organisation_id = e.organisation_id and d.number = e.reference
        and d.entry_kind = e.kind and e.source = 'issued'
      cross join lateral (select case
        when e.kind = 'invoice' and e.source = 'manual' and not ${NOT_REVERSED}
          then 'Manually entered invoice that is reversed. It is not in the return.'
        when e.kind = 'invoice' and e.source = 'manual' and e.entered_document is null
          then 'Manually entered invoice. The portal does not know the tax: add the invoice to the return.'
        when e.kind = 'invoice reversal' and e.source = 'manual'
          then 'Reversal of a manually entered invoice. Correct the return if it contained the invoice.'
        when d.kind = 'financial credit note'
          then 'Financial credit note. It does not change the tax and is not part of the return.'
        when coalesce(d.supplier_gstin, e.entered_document #>> '{supplier,gstin}') <> ${gstin}
          then 'Issued under the GST number ' || coalesce(d.supplier_gstin, e.entered_document #>> '{supplier,gstin}') || '. It belongs to the return of that number.'
        when ${IS_WITHHELD}
          then 'In the return, but its e-invoice registration is not recorded. Register it before you file the return.'
        end as reason) as why
    where e.date between ${from}::date and ${to}::date and why.reason is not null
    order by e.date, e.id limit 500`.execute(db)
