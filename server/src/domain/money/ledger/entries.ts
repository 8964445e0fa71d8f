import { sql } from 'kysely'
import type { EntryKind } from '@trainyard/contract/words/entry.ts'
import type { OrganisationId } from '@trainyard/contract/words/ids.ts'
import type { Paise } from '@trainyard/contract/words/money.ts'
import type { Db, Tx } from '../../../db/schema.ts'

export interface NewEntry {
  readonly organisation: OrganisationId
  readonly kind: EntryKind
  /** The number on the invoice, or the payment's own. */
  readonly reference: string
  readonly particular: string
  /** Below zero: a correction, or money paid back. */
  readonly amount: Paise
  /** YYYY-MM-DD, or an instant: then the day it is in the organisation's zone. */
  readonly date: string | Date
  readonly source: 'manual' | 'provider' | 'issued'
  /** Of a refund: the number of the payment that was paid back. */
  readonly refundOf?: string
  readonly tds?: { readonly section: string; readonly year: string; readonly quarter: number }
  /** The person or the part that added it. */
  readonly by: string
}

/** Adds an entry; answers whether it did: the same organisation, kind and reference stands once, whoever comes second. */
export async function addEntry(tx: Tx, entry: NewEntry): Promise<boolean> {
  const added = await tx
    .insertInto('ledger_entry')
    .values({
      organisation_id: entry.organisation,
      kind: entry.kind,
      reference: entry.reference,
      particular: entry.particular,
      amount_paise: entry.amount,
      date:
        typeof entry.date === 'string'
          ? entry.date
          : sql<string>`(select (${entry.date}::timestamptz at time zone time_zone)::date from organisation
              where id = ${entry.organisation})`,
      source: entry.source,
      refund_of: entry.refundOf,
      tds_section: entry.tds?.section,
      tds_year: entry.tds?.year,
      tds_quarter: entry.tds?.quarter,
      created_by: entry.by,
    })
    .onConflict((on) => on.doNothing())
    .returning('id')
    .executeTakeFirst()
  return added !== undefined
}

/** Returns the paise entered under a payment's number; null: no entry. */
export async function creditedBy(db: Db, organisation: OrganisationId, reference: string): Promise<Paise | null> {
  const entry = await db
    .selectFrom('ledger_entry')
    .select('amount_paise')
    .where('organisation_id', '=', organisation)
    .where('kind', '=', 'payment')
    .where('reference', '=', reference)
    .executeTakeFirst()
  return entry?.amount_paise ?? null
}
