import type { Generated, Selectable } from 'kysely'
import type { OverdueStage } from '@trainyard/contract/words/credit.ts'
import type { OrganisationId, OverdueNoticeId, PrepaidAccountId, TrainingId } from '@trainyard/contract/words/ids.ts'
import type { Paise } from '@trainyard/contract/words/money.ts'
import type { DefaultId, Immutable, ReadOnly } from './columns.ts'

export interface PrepaidAccountTable {
  id: DefaultId<PrepaidAccountId>
  organisation_id: Immutable<OrganisationId>
  /** Null for all trainings without a separate account. */
  training_id: Immutable<TrainingId | null>
  hard_limit: Generated<boolean>
  low_paise: Generated<Paise>
  valid_days: number | null
  started_at: Generated<Date>
  low_since: Date | null
  used_up_at: Date | null
  judge_at: Generated<Date>
}

export type PrepaidAccountRow = Selectable<PrepaidAccountTable>

export interface PrepaidPurchaseTable {
  account_id: Immutable<PrepaidAccountId>
  organisation_id: Immutable<OrganisationId>
  payment: Immutable<string>
  payment_kind: ReadOnly<'payment'>
  gross_paise: Immutable<Paise>
  /** Amount before tax. */
  credit_paise: Immutable<Paise>
  bought_at: Generated<Date>
  /** Usage of the account until the purchase. */
  used_before_paise: Immutable<Paise>
  expires_at: Immutable<Date | null>
  expired_paise: Paise | null
  /** Usage of the account until the expiry. */
  used_at_expiry_paise: Paise | null
}

export interface CreditTermsTable {
  organisation_id: Immutable<OrganisationId>
  limit_enforced: Generated<boolean>
  own_policy: Generated<boolean>
  warn_days: number | null
  hold_days: number | null
  stop_days: number | null
  /** YYYY-MM-DD. */
  paused_until: string | null
}

export interface OverdueStopTable {
  organisation_id: Immutable<OrganisationId>
  since: Generated<Date>
}

export interface OverdueNoticeTable {
  id: DefaultId<OverdueNoticeId>
  organisation_id: Immutable<OrganisationId>
  stage: Immutable<OverdueStage>
  entry_kind: ReadOnly<'invoice'>
  invoice: Immutable<string>
  /** YYYY-MM-DD. */
  due_on: Immutable<string>
  at: Generated<Date>
  sent_to: string[] | null
}
