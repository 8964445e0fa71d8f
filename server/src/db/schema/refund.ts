import type { Generated, Selectable } from 'kysely'
import type { RefundState } from '@trainyard/contract/words/refund.ts'
import type { OrganisationId, PaymentId, RefundId } from '@trainyard/contract/words/ids.ts'
import type { Paise } from '@trainyard/contract/words/money.ts'
import type { DefaultId, Once, ReadOnly } from './columns.ts'
import type { LeasedColumns } from './leased.ts'

export interface RefundTable extends LeasedColumns {
  id: DefaultId<RefundId>
  organisation_id: Once<OrganisationId>
  order_row: Once<PaymentId>
  /** The provider's number of the payment. */
  payment: Once<string>
  entry_kind: ReadOnly<'payment'>
  amount_paise: Once<Paise>
  reason: Once<string>
  asked_by: Once<string>
  created_at: Generated<Date>
  state: Generated<RefundState>
  /** The provider's number of the refund. */
  number: string | null
}

export type RefundRow = Selectable<RefundTable>
