import { sql, type RawBuilder } from 'kysely'
import type { TaxDocument } from '@trainyard/invoices/contract/invoice.ts'
import { type ExportPart, STATEMENT_MAX } from '../contract/books-words.ts'
import type { EntryKind } from '@trainyard/ledger/contract/entry.ts'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import type { CustomerPlace } from '@trainyard/ledger/contract/tax-document.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { BALANCE_CHANGE_SQL } from '@trainyard/ledger/server/balance.ts'
import { isCancelled } from '@trainyard/invoices/server/conditions.ts'
import { taxStatusOn } from '@trainyard/invoices/server/queries.ts'
import type { Applied } from '@trainyard/accounting/server/queries.ts'

export interface BookedEntry {
  readonly id: number
  readonly organisation: OrganisationId
  readonly date: string
  readonly kind: EntryKind
  readonly reference: string
  readonly particular: string
  readonly amount: number
  readonly source: 'manual' | 'provider' | 'issued'
  readonly refundOf: string | null
  readonly settles: string | null
  readonly reverses: string | null
  /** Payment from which the tax of a TDS entry was deducted. */
  readonly deductedFrom: string | null
  /** Taxes that were deducted from a payment and are not reversed. */
  readonly deductions: readonly { readonly id: number; readonly amount: number }[]
  /** Name of the customer's ledger. The name does not change. */
  readonly ledger: string
  readonly customer: {
    /** Current legal name. */
    readonly legalName: string
    readonly country: string | null
    readonly gst: string | null
    readonly place: CustomerPlace
    readonly state: string | null
  }
  /** Document of an issued entry, of an invoice whose tax was entered, or of the invoice that a reversal cancels. */
  readonly document: TaxDocument | null
  /** True if the document is cancelled. Its reversal is not exported. */
  readonly isCancelled: boolean
  /** Invoices that a receipt settles. */
  readonly applied: readonly Applied[]
  /** Invoices that the deducted taxes settle. */
  readonly withheld: readonly Applied[]
}

/** Part of an export that contains customers' entries. */
export type EntryPart = Exclude<ExportPart, 'settlements'>

/**
 * SQL conditions of the parts. Credit notes are stored as payments. Old refunds are payments with a negative amount.
 */
const PARTS: Readonly<Record<EntryPart, RawBuilder<unknown>>> = {
  'all entries': sql`true`,
  invoices: sql`e.kind = 'invoice'`,
  'credit notes': sql`e.kind = 'payment' and e.source = 'issued'`,
  payments: sql`(e.kind = 'tds' or (e.kind = 'payment' and e.source <> 'issued' and e.amount_paise > 0))`,
  refunds: sql`(e.kind = 'refund' or (e.kind = 'payment' and e.source <> 'issued' and e.amount_paise < 0))`,
  corrections: sql`e.kind in ('invoice reversal', 'payment reversal', 'tds reversal', 'write-off')`,
}

export const PAGE = 500

export interface Entry {
  readonly date: string
  readonly particular: string
  readonly kind: EntryKind
  readonly id: string
  readonly amount: number
  readonly issued: boolean
}

export const selectBookedEntries = (
  db: Db,
  input: {
    readonly id: OrganisationId
    readonly date: string
    readonly after: number
    readonly to: string
    readonly what: EntryPart
  },
) =>
  sql<Omit<BookedEntry, 'applied' | 'withheld'>>`
    select e.id, e.organisation_id as organisation, e.date, e.kind, e.reference, e.particular, e.amount_paise as amount, e.source,
      e.refund_of as "refundOf", e.settles, e.reverses, e.deducted_from as "deductedFrom",
      coalesce(d.content - 'lines', e.entered_document, original.entered_document) as document, ${isCancelled('d')} as "isCancelled", coalesce(l.name, b.legal_name, o.name) as ledger,
      case e.kind when 'payment' then (select coalesce(jsonb_agg(jsonb_build_object('id', t.id, 'amount', t.amount_paise)
          order by t.id), '[]') from ledger_entry t
        where t.organisation_id = e.organisation_id and t.deducted_from = e.reference
          and not exists (select from ledger_entry r where r.organisation_id = t.organisation_id
            and r.kind = 'tds reversal' and r.reverses = t.reference)) else '[]' end as deductions,
      jsonb_build_object('legalName', coalesce(b.legal_name, o.name), 'gst', status.gstin,
        'place', status.place, 'state', b.state, 'country', b.country) as customer
    from ledger_entry e join organisation o on o.id = e.organisation_id
      cross join lateral ${taxStatusOn(sql`o.id`, sql`e.date`)} as status
      left join organisation_billing b on b.organisation_id = o.id
      left join customer_ledger l on l.organisation_id = o.id
      left join tax_document d on d.organisation_id = o.id and d.number = e.reference and e.source = 'issued'
      left join ledger_entry original on e.kind = 'invoice reversal' and original.kind = 'invoice'
        and original.organisation_id = o.id and original.reference = e.reverses
    where e.organisation_id = ${input.id} and (e.date, e.id) > (${input.date}::date, ${input.after}::bigint)
      and e.date <= ${input.to}::date and ${PARTS[input.what]} and not (e.source = 'issued' and e.reverses is not null)
    order by e.date, e.id limit ${PAGE}`.execute(db)

export const selectLedgerNames = (tx: Tx, organisation: OrganisationId | null) =>
  sql<{ id: OrganisationId; name: string }>`
    select o.id, left(coalesce(b.legal_name, o.name), 180) as name
    from organisation o left join organisation_billing b on b.organisation_id = o.id
    where (${organisation}::uuid is null or o.id = ${organisation})
      and exists (select from ledger_entry e where e.organisation_id = o.id)
      and not exists (select from customer_ledger l where l.organisation_id = o.id)
    order by o.created_at, o.id`.execute(tx)

export const selectStatement = (db: Db, id: OrganisationId, from: string, to: string) =>
  sql<{ opening: number; rows: Entry[] }>`
    select
      (select coalesce(sum(${BALANCE_CHANGE_SQL}), 0)::bigint from ledger_entry
        where organisation_id = ${id} and date < ${from}::date) as opening,
      (select coalesce(jsonb_agg(e), '[]') from (
        select date, particular, kind, reference as id, amount_paise as amount, source = 'issued' as issued
        from ledger_entry where organisation_id = ${id} and date between ${from}::date and ${to}::date
        order by date, ledger_entry.id limit ${STATEMENT_MAX + 1}) e) as rows`.execute(db)
