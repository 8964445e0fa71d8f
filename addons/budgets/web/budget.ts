import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { budget, BudgetAlert, Spending } from '../contract/budget.ts'
import { formatRupees, paise, rupeesOfPaise } from '@trainyard/platform/contract/words/money.ts'
import { dayjs } from '@trainyard/platform/web/ui/dayjs.ts'
import { formatDate } from '@trainyard/platform/web/ui/time.ts'

export type Budgets = ReplyOf<typeof budget.list>
export type Forecast = ReplyOf<typeof budget.forecast>

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

/** Returns the weekday and time at which a budget runs out, plus the date if that day is six or more days ahead. */
export function runsOut(runsOutAt: string, asOf: string, timeZone: string): string {
  const at = dayjs(runsOutAt).tz(timeZone)
  const isWithinSixDays = at.diff(dayjs(asOf), 'day', true) < 6
  return `runs out ${at.format(isWithinSixDays ? 'dddd HH:mm' : 'dddd, D MMM, HH:mm')}`
}

export function forecastSentences({ shown, asOf, timeZone }: Forecast, isTraining: boolean): string[] {
  if (shown === null) return []
  const week = shown.days.slice(0, 7).reduce((sum, { expectedPaise }) => sum + expectedPaise, 0)
  const end = isTraining ? 'at the end of the training' : 'at the end of the month'
  return [
    `Expected spending until ${formatDate(shown.days[Math.min(6, shown.days.length - 1)]!.date)}: about ${rupees(Math.round(week / 100) * 100)}.`,
    ...(shown.runsOutAt === null ? [] : [`The budget ${runsOut(shown.runsOutAt, asOf, timeZone)}.`]),
    ...(shown.over === null
      ? []
      : [
          `${rupees(Math.abs(shown.over.paise))} ${shown.over.paise > 0 ? 'over the budget' : 'of the budget left'} ${end} (${formatDate(shown.over.lastDay)}).`,
        ]),
  ]
}

const percent = (part: number): string => `${(part * 100).toFixed(0)} %`

/** Returns a sentence with the error of past forecasts, or the reason why there is no forecast. */
export function errorSentence({ backtest, shown }: Forecast): string {
  if (backtest === null || backtest.weeks < 3) return 'No forecast yet: too few weeks have been measured.'
  return shown === null
    ? `No forecast: those of the last ${backtest.weeks} weeks were off by ${percent(backtest.error)}, repeating a week by ${percent(backtest.naiveError)}.`
    : `Forecasts of the last ${backtest.weeks} weeks were typically off by ${percent(backtest.error)}.`
}
