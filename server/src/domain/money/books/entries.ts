import { type RawBuilder, sql } from 'kysely'
import type { TaxDocument } from '@trainyard/contract/calls/invoice.ts'
import type { Booked } from '@trainyard/contract/words/books.ts'
import type { EntryKind } from '@trainyard/contract/words/entry.ts'
import type { OrganisationId } from '@trainyard/contract/words/ids.ts'
import type { CustomerPlace } from '@trainyard/contract/words/tax-document.ts'
import type { Db } from '../../../db/schema.ts'

/** An entry of the ledger with what bookkeeping says of it. */
export interface BookedEntry {
  readonly id: number
  readonly date: string
  readonly kind: EntryKind
  readonly reference: string
  readonly particular: string
  readonly amount: number
  /** `provider`: it was paid online. */
  readonly source: 'manual' | 'provider' | 'issued'
  readonly refundOf: string | null
  readonly customer: {
    readonly name: string
    readonly gst: string | null
    readonly place: CustomerPlace
    readonly state: string | null
  }
  /** The document that was issued with it; null: it was typed by hand. */
  readonly document: TaxDocument | null
}

/** Credit notes lower what is owed as payments do; money paid back before refunds had a kind is a payment below zero. */
const PARTS: Readonly<Record<Booked, RawBuilder<unknown>>> = {
  invoices: sql`e.kind = 'invoice'`,
  'credit notes': sql`e.kind = 'payment' and e.source = 'issued'`,
  payments: sql`(e.kind = 'tds' or (e.kind = 'payment' and e.source <> 'issued' and e.amount_paise > 0))`,
  refunds: sql`(e.kind = 'refund' or (e.kind = 'payment' and e.source <> 'issued' and e.amount_paise < 0))`,
}

/** Entries that are read at a time. */
const PAGE = 500

/** Reads the entries of a period, an organisation after the other, each by date and then as they were added. */
export async function* bookedEntries(
  db: Db,
  what: Booked,
  { from, to }: { readonly from: string; readonly to: string },
  organisation: OrganisationId | null,
): AsyncIterable<BookedEntry> {
  const organisations = await db
    .selectFrom('organisation')
    .select('id')
    .$if(organisation !== null, (query) => query.where('id', '=', organisation!))
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .execute()
  for (const { id } of organisations) {
    let [date, after] = [from, 0]
    for (;;) {
      const { rows } = await sql<BookedEntry>`
        select e.id, e.date, e.kind, e.reference, e.particular, e.amount_paise as amount, e.source,
          e.refund_of as "refundOf", d.content as document,
          jsonb_build_object('name', coalesce(b.legal_name, o.name), 'gst', o.gst,
            'place', coalesce(b.place, 'india'), 'state', b.state) as customer
        from ledger_entry e join organisation o on o.id = e.organisation_id
          left join organisation_billing b on b.organisation_id = o.id
          left join tax_document d on d.organisation_id = o.id and d.number = e.reference and e.source = 'issued'
        where e.organisation_id = ${id} and (e.date, e.id) > (${date}::date, ${after}::bigint)
          and e.date <= ${to}::date and ${PARTS[what]}
        order by e.date, e.id limit ${PAGE}`.execute(db)
      yield* rows
      const last = rows.at(-1)
      if (last === undefined || rows.length < PAGE) break
      date = last.date
      after = last.id
    }
  }
}

/** Writes paise as bookkeeping programs read them: rupees with two decimals, and no other sign. */
export const rupees = (paise: number): string => {
  const whole = Math.abs(paise)
  return `${paise < 0 ? '-' : ''}${Math.floor(whole / 100)}.${String(whole % 100).padStart(2, '0')}`
}
