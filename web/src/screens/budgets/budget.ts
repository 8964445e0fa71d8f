import type { ReplyOf } from '@trainyard/contract/call.ts'
import type { budget, Spending } from '@trainyard/contract/calls/budget.ts'
import { formatRupees, paise, rupeesOfPaise } from '@trainyard/contract/words/money.ts'
import { dayjs } from '#src/ui/dayjs.ts'
import { formatDate } from '#src/ui/time.ts'

export type Budgets = ReplyOf<typeof budget.list>
export type Forecast = ReplyOf<typeof budget.forecast>

/** The organisation that calls name: a superadmin's choice, nobody else's. */
export interface OfOrganisation {
  readonly organization?: string
}

/** One budget on the screen; no training: the organisation's. */
export interface Subject {
  readonly name: string
  readonly trainingName?: string
  readonly spending: Spending
}

export const rupees = (amount: number): string => formatRupees(rupeesOfPaise(paise(amount)))

/** Says how much of a budget is used: 62.5 % of ₹8,000.00. */
export function usedOf({ spentPaise, budget }: Spending): string {
  if (budget === null) return 'No budget'
  return `${((spentPaise / budget.amountPaise) * 100).toFixed(1)} % of ${rupees(budget.amountPaise)}`
}

/** Says when a budget is used up: the weekday and the time, and from a week ahead on the day. */
export function runsOut(runsOutAt: string, asOf: string, timeZone: string): string {
  const at = dayjs(runsOutAt).tz(timeZone)
  const near = at.diff(dayjs(asOf), 'day', true) < 6
  return `runs out ${at.format(near ? 'dddd HH:mm' : 'dddd, D MMM, HH:mm')}`
}

/** Says what a forecast comes to, as sentences. */
export function forecastSentences({ shown, asOf, timeZone }: Forecast, isTraining: boolean): string[] {
  if (shown === null) return []
  const week = shown.days.slice(0, 7).reduce((sum, { expectedPaise }) => sum + expectedPaise, 0)
  const end = isTraining ? 'at the end of the training' : 'at the end of the month'
  return [
    `About ${rupees(Math.round(week / 100) * 100)} are expected up to ${formatDate(shown.days[Math.min(6, shown.days.length - 1)]!.date)}.`,
    ...(shown.runsOutAt === null ? [] : [`The budget ${runsOut(shown.runsOutAt, asOf, timeZone)}.`]),
    ...(shown.over === null
      ? []
      : [
          `${rupees(Math.abs(shown.over.paise))} ${shown.over.paise > 0 ? 'over' : 'left'} ${end} (${formatDate(shown.over.lastDay)}).`,
        ]),
  ]
}

const percent = (part: number): string => `${(part * 100).toFixed(0)} %`

/** Says how far off such forecasts were, or why there is none. */
export function errorSentence({ backtest, shown }: Forecast): string {
  if (backtest === null || backtest.weeks < 3) return 'No forecast yet: there are too few weeks to compare one with.'
  const compared = `over the last ${backtest.weeks} weeks it was ${percent(backtest.error)} off at seven days (the median), and “as last week” ${percent(backtest.naiveError)}`
  return shown === null ? `No forecast: ${compared}.` : `${compared[0]!.toUpperCase()}${compared.slice(1)}.`
}
