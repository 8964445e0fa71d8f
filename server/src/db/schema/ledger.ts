import type { ColumnType, Generated } from 'kysely'
import type { EntryKind } from '@trainyard/contract/words/entry.ts'
import type { OrganisationId } from '@trainyard/contract/words/ids.ts'
import type { Paise } from '@trainyard/contract/words/money.ts'
import type { Immutable, ReadOnly } from './columns.ts'

export interface LedgerEntryTable {
  id: ReadOnly<number>
  organisation_id: OrganisationId
  kind: EntryKind
  reference: string
  particular: string
  amount_paise: Paise
  /** YYYY-MM-DD. */
  date: string
  source: 'manual' | 'provider' | 'issued'
  created_by: string
  refund_of: Generated<string | null>
  /** Number of the recorded entry that a reversal cancels. */
  reverses: Generated<string | null>
  reversed_kind: ReadOnly<string | null>
  /** Number of the invoice that a receipt or a write-off settles. */
  settles: Generated<string | null>
  settled_kind: ReadOnly<string | null>
  /** Only TDS entries have section, year and quarter. */
  tds_section: Generated<string | null>
  /** April to March, such as '26-27'. */
  tds_year: Generated<string | null>
  tds_quarter: Generated<number | null>
  /** Payment from which the tax of a TDS entry was deducted. */
  deducted_from: Generated<string | null>
  deducted_kind: ReadOnly<string | null>
  /** Invoice as a tax document, if a user entered its tax. */
  entered_document: ColumnType<unknown, string | null | undefined, never>
  created_at: Generated<Date>
}

/** Account of the double-entry ledger. */
export interface LedgerAccountTable {
  code: ReadOnly<string>
  name: ReadOnly<string>
  place: ReadOnly<number>
}

/** Part of an entry. Only triggers write postings. */
export interface PostingTable {
  entry_id: ReadOnly<number>
  account: ReadOnly<string>
  organisation_id: ReadOnly<OrganisationId>
  /** Positive for a debit. */
  paise: ReadOnly<number>
}

/** Certificate of a TDS entry that was recorded with its payment. */
export interface TdsCertificateTable {
  organisation_id: OrganisationId
  entry_kind: ReadOnly<'tds'>
  entry: string
  certificate: string
  recorded_by: string
  recorded_at: Generated<Date>
}

export interface LedgerBalanceTable {
  organisation_id: ReadOnly<OrganisationId>
  invoice_paise: ReadOnly<Paise>
  payment_paise: ReadOnly<Paise>
}

/** Name of a customer's ledger in bookkeeping programs. */
export interface CustomerLedgerTable {
  organisation_id: Immutable<OrganisationId>
  name: Immutable<string>
}
