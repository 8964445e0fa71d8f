import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { LedgerEntryTable } from '../tables.gen.ts'
import type { EntryKind } from '../contract/entry.ts'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import type { Paise } from '@trainyard/platform/contract/words/money.ts'
import { hasSeriesForm } from '../contract/tax-document.ts'
import { Problem } from '@trainyard/platform/server/core/errors.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { BILLING_ZONE } from '@trainyard/templates/server/price-at.ts'
import { emit, event } from '@trainyard/platform/server/core/events.ts'
import { published } from '@trainyard/users/server/notices.ts'

export interface NewEntry {
  readonly organisation: OrganisationId
  readonly kind: EntryKind
  /** Invoice number, payment ID or TDS certificate number. */
  readonly reference: string
  readonly particular: string
  readonly amount: Paise
  /**
   * YYYY-MM-DD, or an instant. For an instant, the entry is dated by the supplier's day, which dates advances and
   * returns.
   */
  readonly date: string | Date
  readonly source: 'manual' | 'provider' | 'issued'
  readonly refundOf?: string
  /** Recorded entry that a reversal cancels. */
  readonly reverses?: string
  /** Invoice that a receipt or a write-off settles. */
  readonly settles?: string | null
  /** Payment from which the tax of a TDS entry was deducted. */
  readonly deductedFrom?: string
  readonly tds?: { readonly section: string; readonly year: string; readonly quarter: number }
  /** Invoice as a tax document, if the user entered its tax. */
  readonly document?: object
  /** Email of the user, or name of the task. */
  readonly by: string
}

/**
 * Adds an entry that a user recorded. Returns false if the organisation has an entry of this kind whose reference
 * looks the same. The caller holds the organisation's lock for changes, so that only one of two such entries is added.
 * @throws Problem invalid for a number that a later document could have
 */
export async function addManualEntry(tx: Tx, entry: Omit<NewEntry, 'source'>): Promise<boolean> {
  if (hasSeriesForm(entry.reference) && entry.kind !== 'tds') {
    throw new Problem(
      'invalid',
      `${entry.reference} has the form of the portal’s document numbers. Enter another number, for example with a prefix of your own system.`,
    )
  }
  const alike = await tx
    .selectFrom('ledger_entry')
    .select('id')
    .where('organisation_id', '=', entry.organisation)
    .where('kind', '=', entry.kind)
    .where(sql`comparison_key(reference)`, '=', sql`comparison_key(${entry.reference})`)
    .limit(1)
    .executeTakeFirst()
  return alike === undefined && addEntry(tx, { ...entry, source: 'manual' })
}

/**
 * Adds an entry; returns false if one with the same organisation, kind and reference exists. References are compared
 * exactly, since IDs of the payment provider may differ in case only.
 */
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
          : sql<string>`(${entry.date}::timestamptz at time zone ${BILLING_ZONE})::date`,
      source: entry.source,
      refund_of: entry.refundOf,
      reverses: entry.reverses,
      settles: entry.settles ?? null,
      deducted_from: entry.deductedFrom,
      tds_section: entry.tds?.section,
      tds_year: entry.tds?.year,
      tds_quarter: entry.tds?.quarter,
      entered_document: entry.document && JSON.stringify(entry.document),
      created_by: entry.by,
    })
    .onConflict((on) => on.doNothing())
    .returningAll()
    .executeTakeFirst()
  if (added === undefined) return false
  await postEntry(tx, { id: added.id, organisation: entry.organisation, kind: entry.kind })
  // The event of a document's entry is published with the document.
  if (entry.source !== 'issued' || entry.reverses != null) await publishEntry(tx, added)
  return true
}

/** An entry was added, and its balance is updated. */
export const entryAdded = event<AddedEntry>('ledger.entryAdded')

export interface AddedEntry {
  readonly id: number
  readonly organisation: OrganisationId
  readonly kind: EntryKind
}

/** Adds a new entry to the balance of its organisation. */
export async function postEntry(tx: Tx, entry: AddedEntry): Promise<void> {
  await tx.selectNoFrom(sql`update_balances(array[${entry.id}::bigint])`.as('updated')).execute()
  await emit(tx, entryAdded, [entry])
}

const PUBLISHED = {
  invoice: 'invoice.issued',
  'invoice reversal': 'invoice.reversed',
  payment: 'payment.received',
  refund: 'payment.refunded',
  'payment reversal': 'payment.reversed',
} as const

/** Publishes an entry. */
export async function publishEntry(tx: Tx, entry: Selectable<LedgerEntryTable>): Promise<void> {
  const { kind, source, reverses, organisation_id: organisation } = entry
  const type =
    source === 'issued' && reverses !== null
      ? 'invoice.reversed'
      : source === 'issued' && kind === 'payment'
        ? 'invoice.credited'
        : kind in PUBLISHED
          ? PUBLISHED[kind as keyof typeof PUBLISHED]
          : null
  if (type === null) return
  await emit(tx, published, [
    {
      organisation,
      type,
      resource: `account:${organisation}`,
      data: {
        number: entry.reference,
        amountPaise: entry.amount_paise,
        date: entry.date,
        refersTo: entry.refund_of ?? reverses ?? entry.settles,
      },
    },
  ])
}

/** Condition for entries of the alias `e` that are not reversed. */
export const NOT_REVERSED = sql<boolean>`not exists (select from ledger_entry r
  where r.organisation_id = e.organisation_id and r.reverses = e.reference and r.kind = e.kind || ' reversal')`

/** Condition for entries of an alias that belong to a cancelled document: its own entry, and the reversal of it. */
export const isOfCancelled = (entry: 'e' | 'later'): RawBuilder<boolean> => sql<boolean>`(
  ${sql.ref(`${entry}.source`)} = 'issued' and (${sql.ref(`${entry}.reverses`)} is not null or exists (
    select from ledger_entry r where r.organisation_id = ${sql.ref(`${entry}.organisation_id`)}
      and r.reverses = ${sql.ref(`${entry}.reference`)} and r.kind = ${sql.ref(`${entry}.kind`)} || ' reversal')))`

/** Returns the credited amount in paise. */
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
