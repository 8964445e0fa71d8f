import { minutesOfHours } from '@trainyard/platform/contract/words/duration.ts'
import { ALLOTTED_MINUTES_MAX } from '@trainyard/platform/contract/words/limits.ts'
import { numberOrNullIn, numberProblem, parseNumber } from '@trainyard/platform/contract/words/money.ts'
import { hoursAllotted } from '@trainyard/platform/web/ui/hours.ts'

export const hoursFieldValue = (minutes: number | null): string =>
  minutes === null ? '' : String(Number((minutes / 60).toFixed(2)))

/** Reads typed hours for a shape, which validates them. Null for no limit, NaN if the text is no number. */
export function allottedIn(entered: string): number | null {
  const hours = numberOrNullIn(entered)
  return hours === null || hours === 0 ? null : minutesOfHours(hours)
}

export function allottedOf(entered: string): { minutes: number | null } | { problem: string } {
  const hours = entered.trim() === '' ? 0 : parseNumber(entered)
  if (hours === null || hours < 0)
    return { problem: numberProblem(entered, 'Enter the hours as a number, or leave it empty for no limit.') }
  if (hours === 0) return { minutes: null }
  const minutes = minutesOfHours(hours)
  // Rounding to zero minutes would remove the limit.
  if (minutes < 1) return { problem: 'Enter at least a minute (0.02 hours), or leave it empty for no limit.' }
  if (minutes > ALLOTTED_MINUTES_MAX)
    return { problem: `Enter at most ${hoursAllotted(ALLOTTED_MINUTES_MAX)} hours, a year.` }
  return { minutes }
}
