import type { ColumnType, Generated, Selectable } from 'kysely'
import type { OrganisationId, QuoteId, TrainingId } from '@trainyard/contract/words/ids.ts'
import type { OfferKind, QuoteState } from '@trainyard/contract/words/quote.ts'
import type { DefaultId, Immutable, ReadOnly } from './columns.ts'

export interface QuoteTable {
  id: DefaultId<QuoteId>
  organisation_id: Immutable<OrganisationId>
  number: Immutable<string>
  /** YYYY-MM-DD, in the supplier's zone. */
  issued_on: Immutable<string>
  valid_until: Immutable<string>
  lines: ColumnType<unknown, string, never>
  content: ColumnType<unknown, string, never>
  pdf: Immutable<Buffer>
  created_by: string
  created_at: Generated<Date>
  state: Generated<QuoteState>
  decided_by: string | null
  decided_at: Date | null
  answer: string | null
  proforma: string | null
  proforma_on: string | null
  proforma_content: ColumnType<unknown, string | null, string | null>
  proforma_pdf: Buffer | null
  invoice: string | null
  invoice_kind: ReadOnly<'invoice' | null>
  /** True if payments of the proforma invoice become prepaid credit, and no tax invoice is issued for it. */
  prepaid: Generated<boolean>
  /** Null for credit of all trainings without separate credit. */
  prepaid_training: ColumnType<TrainingId | null, TrainingId | null | undefined, never>
}
export type QuoteRow = Selectable<QuoteTable>

export interface ProformaPaymentTable {
  organisation_id: OrganisationId
  payment: string
  payment_kind: ReadOnly<'payment'>
  quote_id: QuoteId
  recorded_by: string
  recorded_at: Generated<Date>
}

export interface QuoteSeriesTable {
  kind: OfferKind
  financial_year: string
  last_serial: number
}
