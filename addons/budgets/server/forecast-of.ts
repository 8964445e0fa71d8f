import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { budget } from '../contract/budget.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { backtest, isWorthShowing } from './forecast/backtest.ts'
import { sumHours, forecastHours } from './forecast/forecast.ts'
import { DAY, WEEK } from './forecast/history.ts'
import { runsOutAt } from './forecast/runs-out.ts'
import { type Past, readPast } from './past.ts'
import { selectInstant } from './queries.ts'
import { monthOf, type BudgetSubject, spentNow } from './spent.ts'

type Forecast = ReplyOf<typeof budget.forecast>
type Shown = NonNullable<Forecast['shown']>

const DAYS = 28
const BACKTEST_WEEKS = 12

export async function forecastOf(db: Db, subject: BudgetSubject): Promise<Forecast> {
  const past = await readPast(db, subject)
  const instants = Array.from({ length: BACKTEST_WEEKS }, (_, back) => Math.floor(past.now) - (back + 1) * WEEK)
  const result = backtest(past.knownAt, past.knownAt(past.now), instants)
  return {
    asOf: past.asOf.toISOString(),
    timeZone: past.timeZone,
    backtest: result,
    shown: isWorthShowing(result) ? await forecastToShow(db, subject, past) : null,
  }
}

async function forecastToShow(db: Db, subject: BudgetSubject, past: Past): Promise<Shown> {
  const { organisation, training } = subject
  const month = await monthOf(db, organisation)
  const budgetRow = await db
    .selectFrom('budget')
    .select(['amount_paise', 'last_day'])
    .where('organisation_id', '=', organisation)
    .where('training_id', 'is not distinct from', training)
    .executeTakeFirst()
  const count = DAYS * DAY
  const hours = sumHours(
    past.knownAt(past.now).map((history, index) => {
      const factor = past.priceFactors[index]!
      return forecastHours(history, past.now, count).map((cost, ahead) => cost * factor(Math.floor(past.now) + ahead))
    }),
    count,
  )
  const dateOf = (hour: number) => new Date(hour * 3_600_000).toISOString().slice(0, 10)
  const first = Math.floor(past.now)
  const byDay = new Map<string, number>()
  hours.forEach((cost, ahead) => byDay.set(dateOf(first + ahead), (byDay.get(dateOf(first + ahead)) ?? 0) + cost))
  const days = [...byDay].map(([date, cost]) => ({ date, expectedPaise: Math.round(cost) }))
  if (budgetRow === undefined) return { days, runsOutAt: null, over: null }

  const spent = await spentNow(db, subject)
  // An organisation's budget restarts each month.
  const endOfMonth = training === null ? lastOfMonth(month.first) : null
  const within = endOfMonth === null ? hours : hours.filter((_, ahead) => dateOf(first + ahead) <= endOfMonth)
  const out = runsOutAt(budgetRow.amount_paise - spent, within, past.now)
  const lastDay = endOfMonth ?? budgetRow.last_day
  const last = days.at(-1)!.date
  const isKnown = lastDay !== null && lastDay >= days[0]!.date && (lastDay < last || endOfMonth !== null)
  const coming = days.reduce((sum, day) => (lastDay !== null && day.date <= lastDay ? sum + day.expectedPaise : sum), 0)
  return {
    days,
    runsOutAt: out === null ? null : await instantOf(db, out, past.timeZone),
    over: isKnown ? { paise: spent + coming - budgetRow.amount_paise, lastDay } : null,
  }
}

function lastOfMonth(first: string): string {
  const [year, month] = first.split('-').map(Number) as [number, number]
  return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10)
}

async function instantOf(db: Db, hour: number, timeZone: string): Promise<string> {
  const { rows } = await selectInstant(db, Math.floor(hour * 60) * 60, timeZone)
  return rows[0]!.at.toISOString()
}
