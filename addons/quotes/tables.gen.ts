import type { OrganisationId, QuoteId, TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import type { Paise } from '@trainyard/platform/contract/words/money.ts'
import type { Generated, Selectable, ColumnType, GeneratedAlways } from 'kysely'

export interface CustomerPriceTable {
  organisation_id: OrganisationId
  kind: 'template' | 'size' | 'licence'
  item: string
  valid_from: string
  paise_per_hour: Paise | null
  decided_by: string
  decided_at: Generated<Date>
}

export type CustomerPriceRow = Selectable<CustomerPriceTable>

export interface PriceChangeTable {
  organisation_id: OrganisationId
  at: Date
}

export type PriceChangeRow = Selectable<PriceChangeTable>

export interface QuoteTable {
  id: Generated<QuoteId>
  organisation_id: OrganisationId
  number: string
  issued_on: string
  valid_until: string
  lines: ColumnType<unknown, string, string>
  content: ColumnType<unknown, string, string>
  pdf: Buffer
  created_by: string
  created_at: Generated<Date>
  state: Generated<'open' | 'accepted' | 'declined' | 'withdrawn' | 'proforma' | 'invoiced'>
  decided_by: string | null
  decided_at: Date | null
  answer: string | null
  proforma: string | null
  proforma_on: string | null
  proforma_content: ColumnType<unknown, string | null | undefined, string | null>
  proforma_pdf: Buffer | null
  invoice: string | null
  invoice_kind: GeneratedAlways<string | null>
  prepaid: Generated<boolean>
  prepaid_training: TrainingId | null
}

export type QuoteRow = Selectable<QuoteTable>

export interface QuoteSeriesTable {
  kind: 'quote' | 'proforma'
  financial_year: string
  last_serial: number
}

export type QuoteSeriesRow = Selectable<QuoteSeriesTable>

export interface ProformaPaymentTable {
  organisation_id: OrganisationId
  payment: string
  payment_kind: GeneratedAlways<string>
  quote_id: QuoteId
  recorded_by: string
  recorded_at: Generated<Date>
}

export type ProformaPaymentRow = Selectable<ProformaPaymentTable>

export interface QuotesTables {
  customer_price: CustomerPriceTable
  price_change: PriceChangeTable
  quote: QuoteTable
  quote_series: QuoteSeriesTable
  proforma_payment: ProformaPaymentTable
}
declare module '@trainyard/platform/server/db/schema.ts' {
  interface Schema extends QuotesTables {}
}
