import { minutesOfHours } from '@trainyard/platform/contract/words/duration.ts'
import { ALLOTTED_MINUTES_MAX } from '@trainyard/platform/contract/words/limits.ts'
import { parseNumber } from '@trainyard/platform/contract/words/money.ts'

/** Maximum of the call, in minutes (core/machines/contract/machine.ts). */
const INCREASE_MINUTES_MAX = ALLOTTED_MINUTES_MAX * 1000

export interface Increase {
  readonly hours: number
  readonly minutes: number
}

export function increaseOf(entered: string): Increase | null {
  const hours = parseNumber(entered)
  if (hours === null) return null
  const minutes = minutesOfHours(hours)
  return minutes >= 1 && minutes <= INCREASE_MINUTES_MAX ? { hours, minutes } : null
}
