import type { Generated, Selectable, GeneratedAlways, ColumnType } from 'kysely'
import type {
  OrganisationId,
  TaxStatusRequestId,
  TaxDocumentId,
  MachineId,
} from '@trainyard/platform/contract/words/ids.ts'
import type { Paise } from '@trainyard/platform/contract/words/money.ts'

export interface SupplierTable {
  single: Generated<boolean>
  legal_name: string | null
  gstin: string | null
  address_line1: string | null
  address_line2: string | null
  city: string | null
  pin: string | null
  state: string | null
  email: string | null
  phone: string | null
  bank_name: string | null
  account_name: string | null
  account_number: string | null
  ifsc: string | null
  signatory: string | null
  sac: Generated<string>
  invoice_prefix: Generated<string>
  credit_note_prefix: Generated<string>
  receipt_prefix: Generated<string>
  issuing: Generated<'approval' | 'automatic'>
  issue_day: Generated<number>
  first_month: string | null
  reminders: Generated<'off' | 'on'>
  payment_days: Generated<number>
  reminder_days: Generated<number[]>
  refund_prefix: Generated<string>
  vouchers_from: string | null
  turnover: Generated<'up to 5' | '5 to 10' | '10 or more'>
  financial_note_prefix: Generated<string>
  cin: string | null
  warn_days: number | null
  hold_days: number | null
  stop_days: number | null
  debit_note_prefix: Generated<string>
}

export type SupplierRow = Selectable<SupplierTable>

export interface TaxRateTable {
  valid_from: string
  basis_points: number
}

export type TaxRateRow = Selectable<TaxRateTable>

export interface UndertakingTable {
  financial_year: string
  number: string
}

export type UndertakingRow = Selectable<UndertakingTable>

export interface OrganisationBillingTable {
  organisation_id: OrganisationId
  legal_name: string | null
  place: Generated<'india' | 'sez' | 'abroad'>
  address_line1: string | null
  address_line2: string | null
  city: string | null
  pin: string | null
  state: string | null
  country: string | null
  emails: Generated<string[]>
  purchase_order: string | null
  cost_centre: string | null
  list_learners: Generated<boolean>
}

export type OrganisationBillingRow = Selectable<OrganisationBillingTable>

export interface TaxStatusTable {
  organisation_id: OrganisationId
  valid_from: string
  place: 'india' | 'sez' | 'abroad'
  gstin: string | null
  reason: string
  request_id: TaxStatusRequestId | null
  decided_by: string
  decided_at: Generated<Date>
}

export type TaxStatusRow = Selectable<TaxStatusTable>

export interface TaxStatusRequestTable {
  id: Generated<TaxStatusRequestId>
  organisation_id: OrganisationId
  place: 'india' | 'sez' | 'abroad'
  gstin: string | null
  valid_from: string
  reason: string
  document_name: string
  document_type: 'application/pdf' | 'image/png' | 'image/jpeg'
  document: Buffer | null
  asked_by: string
  asked_at: Generated<Date>
  state: Generated<'open' | 'approved' | 'rejected' | 'withdrawn'>
  decided_by: string | null
  decided_at: Date | null
  answer: string | null
}

export type TaxStatusRequestRow = Selectable<TaxStatusRequestTable>

export interface TaxDocumentTable {
  id: Generated<TaxDocumentId>
  organisation_id: OrganisationId
  kind: 'invoice' | 'credit note' | 'debit note' | 'receipt voucher' | 'refund voucher' | 'financial credit note'
  supplier_gstin: string
  prefix: string
  financial_year: string
  serial: number
  number: GeneratedAlways<string>
  issued_on: string
  month: string | null
  of_document: TaxDocumentId | null
  payment: string | null
  taxable_paise: Paise
  cgst_paise: Paise
  sgst_paise: Paise
  igst_paise: Paise
  round_off_paise: Paise
  total_paise: Paise
  content: ColumnType<unknown, string, string>
  e_invoice: ColumnType<unknown, string | null | undefined, string | null>
  pdf: Buffer
  created_by: string
  created_at: Generated<Date>
  paid_kind: GeneratedAlways<string | null>
  refund: string | null
  refund_kind: 'refund' | 'payment reversal' | null
  needs_registration: Generated<boolean>
  due_on: string | null
  entry_kind: GeneratedAlways<string | null>
  month_issue: Generated<number>
}

export type TaxDocumentRow = Selectable<TaxDocumentTable>

export interface TaxDocumentRegistrationTable {
  document_id: TaxDocumentId
  irn: string
  ack_number: string
  ack_date: Date
  signed_qr: string
  pdf: Buffer
  recorded_by: string
  recorded_at: Generated<Date>
}

export type TaxDocumentRegistrationRow = Selectable<TaxDocumentRegistrationTable>

export interface EInvoiceCancellationTable {
  document_id: TaxDocumentId
  cancelled_at: Date
  reason: 'duplicate' | 'data entry mistake' | 'order cancelled' | 'other'
  pdf: Buffer
  recorded_by: string
  recorded_at: Generated<Date>
}

export type EInvoiceCancellationRow = Selectable<EInvoiceCancellationTable>

export interface ChargedLineTable {
  machine_id: MachineId
  month: string
  organisation_id: OrganisationId
  seconds: number
  amount_paise: Paise
  entry_kind: GeneratedAlways<string>
  invoice: string
}

export type ChargedLineRow = Selectable<ChargedLineTable>

export interface CarriedMonthTable {
  organisation_id: OrganisationId
  month: string
}

export type CarriedMonthRow = Selectable<CarriedMonthTable>

export interface DocumentSeriesTable {
  supplier_gstin: string
  prefix: string
  financial_year: string
  last_serial: number
  last_issued_on: string | null
}

export type DocumentSeriesRow = Selectable<DocumentSeriesTable>

export interface InvoicesTables {
  supplier: SupplierTable
  tax_rate: TaxRateTable
  undertaking: UndertakingTable
  organisation_billing: OrganisationBillingTable
  tax_status: TaxStatusTable
  tax_status_request: TaxStatusRequestTable
  tax_document: TaxDocumentTable
  tax_document_registration: TaxDocumentRegistrationTable
  e_invoice_cancellation: EInvoiceCancellationTable
  charged_line: ChargedLineTable
  carried_month: CarriedMonthTable
  document_series: DocumentSeriesTable
}
declare module '@trainyard/platform/server/db/schema.ts' {
  interface Schema extends InvoicesTables {}
}
