import type { Generated, Selectable } from 'kysely'
import type { OrganisationId, PaymentId, PaymentRequestId, QuoteId, TrainingId } from '@trainyard/contract/words/ids.ts'
import type { Paise } from '@trainyard/contract/words/money.ts'
import type { DefaultId, Immutable } from './columns.ts'
import type { LeasedColumns } from './leased.ts'

export interface PaymentTable extends LeasedColumns {
  id: DefaultId<PaymentId>
  organisation_id: Immutable<OrganisationId>
  amount_paise: Immutable<Paise>
  order_id: Immutable<string>
  /** E-mail address of the user who created the order. */
  asked_by: Immutable<string>
  created_at: Generated<Date>
  /** Time when a payer last opened the order. Polling slows down and ends with the time since then. */
  opened_at: Generated<Date>
  paid_at: Date | null
  /** Provider IDs of this order's payments that have a ledger entry. */
  credited: Generated<string[]>
  request: Immutable<PaymentRequestId | null>
  /** Invoice that the payer chose. */
  settles: Immutable<string | null>
  on_account: Immutable<boolean>
  /** True if the payer buys prepaid credit. */
  prepaid: Generated<boolean>
  prepaid_training: Immutable<TrainingId | null | undefined>
  /** Quote whose proforma invoice the order pays. */
  quote_id: Immutable<QuoteId | null | undefined>
}

export type PaymentRow = Selectable<PaymentTable>

export interface PaymentRequestTable {
  id: DefaultId<PaymentRequestId>
  organisation_id: Immutable<OrganisationId>
  amount_paise: Immutable<Paise>
  about: Immutable<string>
  /** E-mail address of the superadmin who requested the payment. */
  asked_by: Immutable<string>
  created_at: Generated<Date>
  expires_at: Immutable<Date>
  cancelled_at: Date | null
  /**
   * Recipients of the e-mail. Null while the e-mail is pending. Empty if there were no recipients, or if the request
   * was paid, cancelled or expired before the e-mail was sent.
   */
  sent_to: string[] | null
}
