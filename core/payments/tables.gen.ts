import type {
  PaymentId,
  OrganisationId,
  TrainingId,
  QuoteId,
  PaymentRequestId,
  RefundId,
} from '@trainyard/platform/contract/words/ids.ts'
import type { Generated, Selectable, GeneratedAlways } from 'kysely'
import type { Paise } from '@trainyard/platform/contract/words/money.ts'

export interface PaymentTable {
  id: Generated<PaymentId>
  organisation_id: OrganisationId
  amount_paise: Paise
  order_id: string
  asked_by: string
  created_at: Generated<Date>
  paid_at: Date | null
  reconcile_at: Date | null
  leased_until: Date | null
  fence: Generated<number>
  generation: Generated<number>
  attempts: Generated<number>
  last_error: string | null
  credited: Generated<string[]>
  settles: string | null
  on_account: Generated<boolean>
  opened_at: Generated<Date>
  prepaid: Generated<boolean>
  prepaid_training: TrainingId | null
  quote_id: QuoteId | null
  request: PaymentRequestId | null
}

export type PaymentRow = Selectable<PaymentTable>

export interface RefundTable {
  id: Generated<RefundId>
  organisation_id: OrganisationId
  order_row: PaymentId
  payment: string
  entry_kind: GeneratedAlways<string>
  amount_paise: Paise
  reason: string
  asked_by: string
  created_at: Generated<Date>
  state: Generated<'wanted' | 'sent' | 'pending' | 'processed' | 'failed'>
  number: string | null
  reconcile_at: Date | null
  leased_until: Date | null
  fence: Generated<number>
  generation: Generated<number>
  attempts: Generated<number>
  last_error: string | null
}

export type RefundRow = Selectable<RefundTable>

export interface PaymentsTables {
  payment: PaymentTable
  refund: RefundTable
}
declare module '@trainyard/platform/server/db/schema.ts' {
  interface Schema extends PaymentsTables {}
}
