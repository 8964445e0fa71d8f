import type {
  BudgetId,
  OrganisationId,
  TrainingId,
  BudgetAlertId,
  UserId,
} from '@trainyard/platform/contract/words/ids.ts'
import type { Generated, Selectable } from 'kysely'
import type { Paise } from '@trainyard/platform/contract/words/money.ts'

export interface BudgetTable {
  id: Generated<BudgetId>
  organisation_id: OrganisationId
  training_id: TrainingId | null
  amount_paise: Paise
  spending_cap: boolean
  set_by: string
  set_at: Generated<Date>
  judge_at: Generated<Date>
  cap_reached_at: Date | null
}

export type BudgetRow = Selectable<BudgetTable>

export interface BudgetAlertTable {
  id: Generated<BudgetAlertId>
  organisation_id: OrganisationId
  training_id: TrainingId | null
  kind: 'budget' | 'quota'
  percent: number
  month: string | null
  used: number
  total: number
  at: Generated<Date>
}

export type BudgetAlertRow = Selectable<BudgetAlertTable>

export interface BudgetAlertSeenTable {
  alert_id: BudgetAlertId
  user_id: UserId
}

export type BudgetAlertSeenRow = Selectable<BudgetAlertSeenTable>

export interface BudgetsTables {
  budget: BudgetTable
  budget_alert: BudgetAlertTable
  budget_alert_seen: BudgetAlertSeenTable
}
declare module '@trainyard/platform/server/db/schema.ts' {
  interface Schema extends BudgetsTables {}
}
