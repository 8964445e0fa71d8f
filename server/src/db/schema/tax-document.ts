import type { ColumnType, Generated } from 'kysely'
import type { MachineId, OrganisationId, TaxDocumentId, ReminderId } from '@trainyard/contract/words/ids.ts'
import type { Paise } from '@trainyard/contract/words/money.ts'
import type { Reminders } from '@trainyard/contract/words/reminder.ts'
import type {
  CancellationReason,
  CancellationState,
  CustomerPlace,
  DocumentKind,
  Issuing,
  Turnover,
} from '@trainyard/contract/words/tax-document.ts'
import type { DefaultId, ReadOnly, Immutable } from './columns.ts'

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
  refund_prefix: Generated<string>
  financial_note_prefix: Generated<string>
  debit_note_prefix: Generated<string>
  cin: Generated<string | null>
  vouchers_from: string | null
  turnover: Generated<Turnover>
  issuing: Generated<Issuing>
  issue_day: Generated<number>
  /** YYYY-MM-01. */
  first_month: string | null
  reminders: Generated<Reminders>
  payment_days: Generated<number>
  warn_days: number | null
  hold_days: number | null
  stop_days: number | null
  /** Days after the due date on which reminders are sent. */
  reminder_days: Generated<number[]>
}

/** Undertaking (LUT) for exports and SEZ supplies without tax. It is valid for one financial year, such as '26-27'. */
export interface UndertakingTable {
  financial_year: string
  number: string
}

export interface TaxRateTable {
  valid_from: string
  basis_points: number
}

export interface OrganisationBillingTable {
  organisation_id: OrganisationId
  legal_name: string | null
  place: Generated<CustomerPlace>
  address_line1: string | null
  address_line2: string | null
  city: string | null
  pin: string | null
  state: string | null
  country: string | null
  emails: Generated<string[]>
  purchase_order: Generated<string | null>
  cost_centre: Generated<string | null>
  /** True if the list of usage names the learners. */
  list_learners: Generated<boolean>
}

export interface ChargedLineTable {
  machine_id: MachineId
  /** YYYY-MM-01. */
  month: string
  organisation_id: OrganisationId
  seconds: number
  amount_paise: Paise
  entry_kind: ReadOnly<'invoice'>
  invoice: string
}

/** Usage of less than half a rupee, which is carried forward to the organisation's next invoice. */
export interface CarriedMonthTable {
  organisation_id: OrganisationId
  /** YYYY-MM-01. */
  month: string
}

export interface TaxDocumentTable {
  id: DefaultId<TaxDocumentId>
  organisation_id: OrganisationId
  kind: DocumentKind
  supplier_gstin: string
  prefix: string
  financial_year: string
  serial: number
  number: ReadOnly<string>
  issued_on: string
  /** Only invoices and debit notes have a due date. */
  due_on: string | null
  month: string | null
  /** 1 for the first invoice of a month, 2 for the invoice after a cancelled one. */
  month_issue: ReadOnly<number>
  of_document: TaxDocumentId | null
  payment: string | null
  refund: string | null
  refund_kind: 'refund' | 'payment reversal' | null
  taxable_paise: Paise
  cgst_paise: Paise
  sgst_paise: Paise
  igst_paise: Paise
  round_off_paise: Paise
  total_paise: Paise
  content: ColumnType<unknown, string, never>
  e_invoice: ColumnType<unknown, string | null, never>
  pdf: Buffer
  needs_registration: Generated<boolean>
  created_by: string
  created_at: Generated<Date>
  entry_kind: ReadOnly<string | null>
  paid_kind: ReadOnly<string | null>
}

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

/** Failed attempts to register a document at the e-invoice portal. */
export interface EInvoiceAttemptTable {
  document_id: TaxDocumentId
  attempts: number
  next_at: Date
  last_error: string
}

/** Requested, confirmed or refused cancellation of a registration at the e-invoice portal. */
export interface EInvoiceCancellationTable {
  document_id: Immutable<TaxDocumentId>
  state: Generated<CancellationState>
  reason: Immutable<CancellationReason>
  remark: Immutable<string>
  requested_by: Immutable<string>
  requested_at: Generated<Date>
  attempts: Generated<number>
  next_at: Generated<Date>
  last_error: string | null
  ended_at: Date | null
  pdf: Buffer | null
}

export interface DocumentSeriesTable {
  supplier_gstin: ReadOnly<string>
  prefix: ReadOnly<string>
  financial_year: ReadOnly<string>
  last_serial: ReadOnly<number>
  last_issued_on: ReadOnly<string | null>
}

export interface InvoiceReminderTable {
  id: DefaultId<ReminderId>
  organisation_id: Immutable<OrganisationId>
  entry_kind: ReadOnly<'invoice'>
  invoice: Immutable<string>
  after_days: Immutable<number>
  /** YYYY-MM-DD. */
  due_on: Immutable<string>
  open_paise: Immutable<Paise>
  created_at: Generated<Date>
  ended_at: Date | null
  /** Recipients; empty if the e-mail was skipped or had no recipients. */
  sent_to: Generated<string[]>
}
