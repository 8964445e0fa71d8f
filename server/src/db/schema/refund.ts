import type { Generated, Selectable } from 'kysely'
import type { RefundState } from '@trainyard/contract/words/refund.ts'
import type { OrganisationId, PaymentId, RefundId } from '@trainyard/contract/words/ids.ts'
import type { Paise } from '@trainyard/contract/words/money.ts'
import type { DefaultId, Immutable, ReadOnly } from './columns.ts'
import type { LeasedColumns } from './leased.ts'

export interface RefundTable extends LeasedColumns {
  id: DefaultId<RefundId>
  organisation_id: Immutable<OrganisationId>
  order_row: Immutable<PaymentId>
  payment: Immutable<string>
  entry_kind: ReadOnly<'payment'>
  amount_paise: Immutable<Paise>
  reason: Immutable<string>
  /** E-mail address of the user who requested the refund. */
  asked_by: Immutable<string>
  created_at: Generated<Date>
  state: Generated<RefundState>
  number: string | null
}

export type RefundRow = Selectable<RefundTable>
