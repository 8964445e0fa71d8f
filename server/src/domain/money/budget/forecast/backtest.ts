import { addUp, forecastHours } from './forecast.ts'
import { costBetween, type TrainingHistory, WEEK } from './history.ts'

/** A past in which a forecast can be made once more: with what was known then. */
export interface KnownAt {
  (now: number): readonly TrainingHistory[]
}

export interface Backtest {
  /** Weeks that were forecast and compared. */
  readonly weeks: number
  /** The median of how far off the sum of seven days was, as a part of what came. */
  readonly error: number
  /** The same of saying that the next week costs what the last one did. */
  readonly naiveError: number
}

/**
 * Makes the forecast of seven days anew at past instants, and compares it with what came. Weeks in which nothing came
 * say nothing of a part, and are left out; null: there was no other.
 */
export function backtest(
  knownAt: KnownAt,
  came: readonly TrainingHistory[],
  instants: readonly number[],
): Backtest | null {
  const errors: number[] = []
  const naiveErrors: number[] = []
  for (const now of instants) {
    const actual = total(came, now, now + WEEK)
    if (actual === 0) continue
    const known = knownAt(now)
    const expected = addUp(
      known.map((history) => forecastHours(history, now, WEEK)),
      WEEK,
    ).reduce((sum, hour) => sum + hour, 0)
    errors.push(Math.abs(expected - actual) / actual)
    naiveErrors.push(Math.abs(total(came, now - WEEK, now) - actual) / actual)
  }
  if (errors.length === 0) return null
  return { weeks: errors.length, error: median(errors), naiveError: median(naiveErrors) }
}

/** Returns true for a forecast that may be shown: it was better than last week's sum, which anybody can read off. */
export const isWorthShowing = (result: Backtest | null): result is Backtest =>
  result !== null && result.weeks >= LEAST_WEEKS && result.error < result.naiveError

/** Weeks below which a comparison is chance. */
const LEAST_WEEKS = 3

const total = (histories: readonly TrainingHistory[], from: number, to: number): number =>
  histories.reduce((sum, history) => sum + costBetween(history, from, to), 0)

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}
