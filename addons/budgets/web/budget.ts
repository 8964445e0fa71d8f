import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { budget, BudgetAlert, Spending } from '../contract/budget.ts'
import { formatRupees, paise, rupeesOfPaise } from '@trainyard/platform/contract/words/money.ts'

export type Budgets = ReplyOf<typeof budget.list>

export interface OrganisationQuery {
  readonly organization?: string
}

/** Budget of a training, or of the organisation if `trainingName` is omitted. */
export interface Subject {
  readonly name: string
  readonly trainingName?: string
  readonly spending: Spending
}

export const rupees = (amount: number): string => formatRupees(rupeesOfPaise(paise(amount)))

/** Returns the used part of a budget. A part above 999 % is not stated as a number, because it says nothing. */
export function percentOf(spent: number, budget: number): string {
  const percent = (spent / budget) * 100
  return percent > 999 ? 'more than 999 %' : `${percent.toFixed(1)} %`
}

export function usedOf({ spentPaise, budget }: Spending): string {
  if (budget === null) return 'No budget'
  return `${percentOf(spentPaise, budget.amountPaise)} of ${rupees(budget.amountPaise)}`
}

/** Returns the used part in whole percent: at least the threshold of the alert, and 100 once it is used up. */
export const usedPercent = ({ percent, used, total }: Pick<BudgetAlert, 'percent' | 'used' | 'total'>): number =>
  Math.min(100, Math.max(percent, Math.floor((used / total) * 100)))
