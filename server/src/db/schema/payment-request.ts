import type { Generated } from 'kysely'
import type { OrganisationId, PaymentRequestId } from '@trainyard/contract/words/ids.ts'
import type { Paise } from '@trainyard/contract/words/money.ts'
import type { DefaultId, Once } from './columns.ts'

export interface PaymentRequestTable {
  id: DefaultId<PaymentRequestId>
  organisation_id: Once<OrganisationId>
  amount_paise: Once<Paise>
  about: Once<string>
  asked_by: Once<string>
  created_at: Generated<Date>
  expires_at: Once<Date>
  cancelled_at: Date | null
  /** Recipients once it was mailed; empty if it had none or ended before. */
  sent_to: string[] | null
}
