import { weekdaysSaid } from '@trainyard/contract/words/recurrence.ts'

/** The access window in the form; times are HH:mm, empty while not given. */
export interface WindowFields {
  readonly restricts: boolean
  readonly start: string
  readonly stop: string
}

export const NO_WINDOW: WindowFields = { restricts: false, start: '', stop: '' }

/** Returns the sentence why the window can't be sent; null: it can. */
export function windowProblem({ restricts, start, stop }: WindowFields): string | null {
  if (!restricts) return null
  if (start === '' || stop === '') return 'Enter both times of the access window.'
  return start === stop ? 'The access window must end at another time than it starts.' : null
}

/** Returns the sentence that tells what the form changes for learners; null: nothing. */
export function windowChange(
  window: WindowFields,
  current: (WindowFields & { readonly days?: readonly number[] | null }) | null,
): string | null {
  if (windowProblem(window) !== null) return null
  if (window.restricts) {
    const over = window.start > window.stop ? ', over midnight' : ''
    // The form says nothing of days: those of the window that holds stay.
    const days = current?.days ? `on ${weekdaysSaid(current.days)}` : 'every day'
    return `Schedule All lets learners in from ${window.start} to ${window.stop} only${over}, ${days}.`
  }
  if (!current?.restricts) return null
  return `Schedule All ends the window of ${current.start} to ${current.stop}: learners get in at all times.`
}
