import type {
  PrepaidAccountId,
  OrganisationId,
  TrainingId,
  OverdueNoticeId,
} from '@trainyard/platform/contract/words/ids.ts'
import type { Generated, Selectable, GeneratedAlways } from 'kysely'
import type { Paise } from '@trainyard/platform/contract/words/money.ts'

export interface PrepaidAccountTable {
  id: Generated<PrepaidAccountId>
  organisation_id: OrganisationId
  training_id: TrainingId | null
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
  organisation_id: OrganisationId
  payment: string
  account_id: PrepaidAccountId
  payment_kind: GeneratedAlways<string>
  gross_paise: Paise
  credit_paise: Paise
  bought_at: Generated<Date>
  used_before_paise: Paise
  expires_at: Date | null
  expired_paise: Paise | null
  used_at_expiry_paise: Paise | null
}

export type PrepaidPurchaseRow = Selectable<PrepaidPurchaseTable>

export interface CreditTermsTable {
  organisation_id: OrganisationId
  limit_enforced: Generated<boolean>
  own_policy: Generated<boolean>
  warn_days: number | null
  hold_days: number | null
  stop_days: number | null
  paused_until: string | null
}

export type CreditTermsRow = Selectable<CreditTermsTable>

export interface OverdueStopTable {
  organisation_id: OrganisationId
  since: Generated<Date>
}

export type OverdueStopRow = Selectable<OverdueStopTable>

export interface OverdueNoticeTable {
  id: Generated<OverdueNoticeId>
  organisation_id: OrganisationId
  stage: 'warn' | 'hold' | 'stop'
  entry_kind: GeneratedAlways<string>
  invoice: string
  due_on: string
  at: Generated<Date>
  sent_to: string[] | null
}

export type OverdueNoticeRow = Selectable<OverdueNoticeTable>

export interface PrepaidCreditTables {
  prepaid_account: PrepaidAccountTable
  prepaid_purchase: PrepaidPurchaseTable
  credit_terms: CreditTermsTable
  overdue_stop: OverdueStopTable
  overdue_notice: OverdueNoticeTable
}
declare module '@trainyard/platform/server/db/schema.ts' {
  interface Schema extends PrepaidCreditTables {}
}
