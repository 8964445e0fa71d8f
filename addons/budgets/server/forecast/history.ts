/**
 * Usage of a training. Hours are local and counted from midnight of 1970-01-01, because usage follows the local clock.
 */
export interface TrainingHistory {
  readonly begins: number
  /** Paise per hour, up to the hour in which the forecast is made */
  readonly hours: ArrayLike<number>
  /** Paise per hour */
  readonly running: number
  /** Paise per hour of all existing machines */
  readonly capacity: number
  readonly plans: readonly Plan[]
}

export interface Plan {
  /** Local hour including its elapsed fraction */
  readonly at: number
  readonly action: 'Start' | 'Stop'
}

export const DAY = 24
export const WEEK = 7 * DAY

/** 0 for Monday. Day 0, 1970-01-01, was a Thursday. */
const weekdayOf = (day: number): number => (((day + 3) % 7) + 7) % 7

export const isWeekend = (day: number): boolean => weekdayOf(day) >= 5

/** Returns the cost in paise; `to` is exclusive. Hours outside the history cost nothing. */
export function costBetween({ begins, hours }: TrainingHistory, from: number, to: number): number {
  let sum = 0
  const end = Math.min(to - begins, hours.length)
  for (let at = Math.max(0, from - begins); at < end; at++) sum += hours[at]!
  return sum
}

export const costOfDay = (history: TrainingHistory, day: number): number =>
  costBetween(history, day * DAY, (day + 1) * DAY)
