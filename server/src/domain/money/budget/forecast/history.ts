/**
 * Hours of a training's organisation, counted from the local midnight that 1970-01-01 begins with: what is usual is so
 * by the clock on the wall. An hour that a change of clocks leaves out costs nothing, one that comes twice costs both.
 */
export interface TrainingHistory {
  /** The first hour of `hours`. */
  readonly begins: number
  /** Paise that each hour cost, up to the one in which the forecast is made. */
  readonly hours: ArrayLike<number>
  /** Paise an hour of the machines that run now. */
  readonly running: number
  /** Paise an hour of all its live machines. */
  readonly capacity: number
  /** Schedules that are known, those of the past too. */
  readonly plans: readonly Plan[]
}

export interface Plan {
  /** A local hour, and the part of it that is over. */
  readonly at: number
  readonly action: 'Start' | 'Stop'
}

export const DAY = 24
export const WEEK = 7 * DAY

/** Returns 0 for Monday: 1970 began with a Thursday. */
export const weekdayOf = (day: number): number => (((day + 3) % 7) + 7) % 7

export const isWeekend = (day: number): boolean => weekdayOf(day) >= 5

/** Returns the paise of the hours from one to before another; those outside the history cost nothing. */
export function costBetween({ begins, hours }: TrainingHistory, from: number, to: number): number {
  let sum = 0
  const end = Math.min(to - begins, hours.length)
  for (let at = Math.max(0, from - begins); at < end; at++) sum += hours[at]!
  return sum
}

export const costOfDay = (history: TrainingHistory, day: number): number =>
  costBetween(history, day * DAY, (day + 1) * DAY)
