import type { Generated, Selectable } from 'kysely'
import type { BudgetAlertId, BudgetId, OrganisationId, TrainingId, UserId } from '@trainyard/contract/words/ids.ts'
import type { Paise } from '@trainyard/contract/words/money.ts'
import type { DefaultId, Once } from './columns.ts'

export interface BudgetTable {
  id: DefaultId<BudgetId>
  organisation_id: Once<OrganisationId>
  training_id: Once<TrainingId | null>
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
  organisation_id: Once<OrganisationId>
  training_id: Once<TrainingId | null>
  kind: Once<'budget' | 'quota'>
  percent: Once<number>
  month: Once<string | null>
  used: Once<number>
  total: Once<number>
  at: Generated<Date>
}

export interface BudgetAlertSeenTable {
  alert_id: BudgetAlertId
  user_id: UserId
}
