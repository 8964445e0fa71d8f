import type { Generated, Selectable } from 'kysely'
import type { BudgetAlertId, BudgetId, OrganisationId, TrainingId, UserId } from '@trainyard/contract/words/ids.ts'
import type { Paise } from '@trainyard/contract/words/money.ts'
import type { DefaultId, Immutable } from './columns.ts'

export interface BudgetTable {
  id: DefaultId<BudgetId>
  organisation_id: Immutable<OrganisationId>
  training_id: Immutable<TrainingId | null>
  amount_paise: Paise
  spending_cap: boolean
  last_day: string | null
  set_by: string
  set_at: Generated<Date>
  judge_at: Generated<Date>
  cap_reached_at: Date | null
}

export type BudgetRow = Selectable<BudgetTable>

export interface BudgetAlertTable {
  id: DefaultId<BudgetAlertId>
  organisation_id: Immutable<OrganisationId>
  training_id: Immutable<TrainingId | null>
  kind: Immutable<'budget' | 'quota'>
  percent: Immutable<number>
  month: Immutable<string | null>
  used: Immutable<number>
  total: Immutable<number>
  at: Generated<Date>
}

export interface BudgetAlertSeenTable {
  alert_id: BudgetAlertId
  user_id: UserId
}
