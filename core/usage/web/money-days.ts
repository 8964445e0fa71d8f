import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import { dayjs } from '@trainyard/platform/web/ui/dayjs.ts'
import type { meter } from '../contract/meter.ts'

export type Outlook = ReplyOf<typeof meter.outlook>
export type Range = 'week' | 'month' | '90'

export interface MoneyDay {
  readonly date: string
  /** Paise; null on days that have not come, and in the sums on which they do not apply. */
  readonly spent: number | null
  readonly planned: number | null
  readonly sum: number | null
  readonly expected: number | null
  readonly hours: number
}

const REACH = 90

const daysBetween = (from: string, until: string): string[] =>
  Array.from({ length: dayjs.utc(until).diff(dayjs.utc(from), 'day') + 1 }, (_, index) =>
    dayjs.utc(from).add(index, 'day').format('YYYY-MM-DD'),
  )

type Training = NonNullable<Outlook['training']>

/**
 * Returns the paise that the machines which run now cost until midnight. 0 if something is planned today: then it is
 * known when they stop.
 */
export function restOfToday(
  { asOf, today, timeZone }: Pick<Outlook, 'asOf' | 'today' | 'timeZone'>,
  training: Training,
) {
  if (training.planned.some(({ date }) => date === today)) return 0
  const now = dayjs(asOf).tz(timeZone)
  return Math.round(training.paisePerHour * now.endOf('day').diff(now, 'hour', true))
}

/** Returns the days of a range, with the cost of each and the sums since the training began. */
export function moneyDays(outlook: Pick<Outlook, 'asOf' | 'today' | 'timeZone'>, training: Training, range: Range) {
  const { today } = outlook
  const { days, planned, spentPaise } = training
  const rest = restOfToday(outlook, training)
  const spent = new Map(days.map((day) => [day.date, day]))
  const plans = new Map(planned.map(({ date, amountPaise }) => [date, amountPaise]))
  const [from, until] = boundsOf(today, training, range)
  const after = (date: string) => days.reduce((sum, day) => (day.date > date ? sum + day.amountPaise : sum), 0)
  const plannedUntil = (date: string) =>
    planned.reduce((sum, day) => (day.date <= date ? sum + day.amountPaise : sum), 0)
  return daysBetween(from, until).map((date): MoneyDay => ({
    date,
    spent: date > today ? null : (spent.get(date)?.amountPaise ?? 0),
    planned: date < today ? null : (plans.get(date) ?? (date === today ? null : 0)),
    sum: date > today ? null : spentPaise - after(date),
    expected: date < today ? null : spentPaise + (date === today ? 0 : rest + plannedUntil(date)),
    hours: spent.get(date)?.hours ?? 0,
  }))
}

function boundsOf(today: string, { days, planned }: Training, range: Range): [string, string] {
  const day = dayjs.utc(today)
  const format = (date: typeof day) => date.format('YYYY-MM-DD')
  if (range === 'week') {
    const monday = day.subtract((day.day() + 6) % 7, 'day')
    return [format(monday), format(monday.add(6, 'day'))]
  }
  if (range === 'month') {
    // On the last days of a month, a week ahead stays in view.
    const [end, ahead] = [format(day.endOf('month')), format(day.add(6, 'day'))]
    return [format(day.startOf('month')), end > ahead ? end : ahead]
  }
  const first = days.find(({ amountPaise }) => amountPaise > 0)?.date ?? today
  const last = format(day.add(REACH, 'day'))
  const end = planned.at(-1)?.date ?? today
  return [first, end < last ? end : last]
}

/** Returns what the training will have cost at the end of the month. */
export function atMonthEnd(outlook: Pick<Outlook, 'asOf' | 'today' | 'timeZone'>, training: Training): number {
  const month = outlook.today.slice(0, 7)
  const begun = training.spentPaise + restOfToday(outlook, training)
  return training.planned.reduce((sum, day) => (day.date.startsWith(month) ? sum + day.amountPaise : sum), begun)
}
