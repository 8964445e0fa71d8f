import type { Generated, Selectable } from 'kysely'
import type { OrganisationId, PaymentId, PaymentRequestId } from '@trainyard/contract/words/ids.ts'
import type { Paise } from '@trainyard/contract/words/money.ts'
import type { DefaultId, Once } from './columns.ts'
import type { LeasedColumns } from './leased.ts'

export interface PaymentTable extends LeasedColumns {
  id: DefaultId<PaymentId>
  organisation_id: Once<OrganisationId>
  amount_paise: Once<Paise>
  order_id: Once<string>
  asked_by: Once<string>
  created_at: Generated<Date>
  paid_at: Date | null
  /** The provider's numbers of the payments of this order that are in the ledger. */
  credited: Generated<string[]>
  /** The payment request that it pays. */
  request: Once<PaymentRequestId | null>
}

export type PaymentRow = Selectable<PaymentTable>
