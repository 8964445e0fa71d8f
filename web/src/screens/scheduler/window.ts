import { formatWeekdays } from '@trainyard/contract/words/recurrence.ts'

/** Access window in the form; times are HH:mm or empty. */
export interface WindowFields {
  readonly restricts: boolean
  readonly start: string
  readonly stop: string
}

export const NO_WINDOW: WindowFields = { restricts: false, start: '', stop: '' }

export function windowProblem({ restricts, start, stop }: WindowFields): string | null {
  if (!restricts) return null
  if (start === '' || stop === '') return 'Enter both times of the access window.'
  return start === stop ? 'The access window must not end at the time at which it starts.' : null
}

/** Returns the effect of the form on learners as a sentence; null if it changes nothing. */
export function windowChange(
  window: WindowFields,
  current: (WindowFields & { readonly days?: readonly number[] | null }) | null,
): string | null {
  if (windowProblem(window) !== null) return null
  if (window.restricts) {
    const over = window.start > window.stop ? ', over midnight' : ''
    // The form has no weekdays, so the weekdays of the current window remain.
    const days = current?.days ? `on ${formatWeekdays(current.days)}` : 'every day'
    return `Schedule All lets learners in from ${window.start} to ${window.stop} only${over}, ${days}.`
  }
  if (!current?.restricts) return null
  return `Schedule All removes the window of ${current.start} to ${current.stop}: learners then have access at all times.`
}
