import type { Generated } from 'kysely'
import type { OrganisationId, PaymentRequestId } from '@trainyard/contract/words/ids.ts'
import type { Paise } from '@trainyard/contract/words/money.ts'
import type { DefaultId, Immutable } from './columns.ts'

export interface PaymentRequestTable {
  id: DefaultId<PaymentRequestId>
  organisation_id: Immutable<OrganisationId>
  amount_paise: Immutable<Paise>
  about: Immutable<string>
  asked_by: Immutable<string>
  created_at: Generated<Date>
  expires_at: Immutable<Date>
  cancelled_at: Date | null
  /** Recipients once it was mailed; empty if it had none or ended before. */
  sent_to: string[] | null
}
