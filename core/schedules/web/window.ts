import { formatWeekdays } from '@trainyard/platform/contract/words/weekdays.ts'

/** Values of the access window's fields. Times are HH:mm or empty. */
export interface WindowFields {
  readonly restricts: boolean
  readonly start: string
  readonly stop: string
}

export const NO_WINDOW: WindowFields = { restricts: false, start: '', stop: '' }

/** Returns a sentence that describes how a valid window changes the access of learners; null if nothing changes. */
export function windowChange(
  window: WindowFields,
  current: (WindowFields & { readonly days?: readonly number[] | null }) | null,
): string | null {
  if (window.restricts) {
    const pastMidnight = window.start > window.stop ? ' (past midnight)' : ''
    // The form has no field for weekdays, so the weekdays of the current window stay.
    const days = current?.days ? `on ${formatWeekdays(current.days)}` : 'every day'
    return `When you choose Schedule All, learners have access only from ${window.start} to ${window.stop}${pastMidnight}, ${days}.`
  }
  if (!current?.restricts) return null
  return `When you choose Schedule All, the window from ${current.start} to ${current.stop} is removed, and learners have access at all times.`
}
