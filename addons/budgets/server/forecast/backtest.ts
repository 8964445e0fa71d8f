import { sumHours, forecastHours } from './forecast.ts'
import { costBetween, type TrainingHistory, WEEK } from './history.ts'

export interface KnownAt {
  (now: number): readonly TrainingHistory[]
}

export interface Backtest {
  readonly weeks: number
  /** Median relative error of the seven-day sum. */
  readonly error: number
  /** Median relative error of using last week's cost as the forecast. */
  readonly naiveError: number
}

/** Tests the forecast with past weeks. Weeks without cost are skipped. Returns null if no week remains. */
export function backtest(
  knownAt: KnownAt,
  actual: readonly TrainingHistory[],
  instants: readonly number[],
): Backtest | null {
  const errors: number[] = []
  const naiveErrors: number[] = []
  for (const now of instants) {
    const cost = total(actual, now, now + WEEK)
    if (cost === 0) continue
    const known = knownAt(now)
    const expected = sumHours(
      known.map((history) => forecastHours(history, now, WEEK)),
      WEEK,
    ).reduce((sum, hour) => sum + hour, 0)
    errors.push(Math.abs(expected - cost) / cost)
    naiveErrors.push(Math.abs(total(actual, now - WEEK, now) - cost) / cost)
  }
  if (errors.length === 0) return null
  return { weeks: errors.length, error: median(errors), naiveError: median(naiveErrors) }
}

export const isWorthShowing = (result: Backtest | null): result is Backtest =>
  result !== null && result.weeks >= MIN_WEEKS && result.error < result.naiveError

const MIN_WEEKS = 3

const total = (histories: readonly TrainingHistory[], from: number, to: number): number =>
  histories.reduce((sum, history) => sum + costBetween(history, from, to), 0)

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}
