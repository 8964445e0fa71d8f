import type { ReminderId, OrganisationId, PaymentRequestId } from '@trainyard/platform/contract/words/ids.ts'
import type { Generated, GeneratedAlways, Selectable } from 'kysely'
import type { Paise } from '@trainyard/platform/contract/words/money.ts'

export interface InvoiceReminderTable {
  id: Generated<ReminderId>
  organisation_id: OrganisationId
  entry_kind: GeneratedAlways<string>
  invoice: string
  after_days: number
  due_on: string
  open_paise: Paise
  created_at: Generated<Date>
  ended_at: Date | null
  sent_to: Generated<string[]>
}

export type InvoiceReminderRow = Selectable<InvoiceReminderTable>

export interface PaymentRequestTable {
  id: Generated<PaymentRequestId>
  organisation_id: OrganisationId
  amount_paise: Paise
  about: string
  asked_by: string
  created_at: Generated<Date>
  expires_at: Date
  cancelled_at: Date | null
  sent_to: string[] | null
}

export type PaymentRequestRow = Selectable<PaymentRequestTable>

export interface RemindersTables {
  invoice_reminder: InvoiceReminderTable
  payment_request: PaymentRequestTable
}
declare module '@trainyard/platform/server/db/schema.ts' {
  interface Schema extends RemindersTables {}
}
