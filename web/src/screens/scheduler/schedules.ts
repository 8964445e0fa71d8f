import type { ReplyOf } from '@trainyard/contract/call.ts'
import type { schedule } from '@trainyard/contract/calls/schedule.ts'
import type { ScheduleAction } from '@trainyard/contract/words/schedule.ts'

export type Schedule = ReplyOf<typeof schedule.list>['schedules'][number]

/** The form's names for the wire's Start and Stop. */
export const ACTION_LABELS: Record<ScheduleAction, string> = { Stop: 'Shut Down', Start: 'Power On' }

/** Returns a list in order of time without the runs to come of a weekly schedule after its next: they have a list of their own. */
export const withoutRepeats = (schedules: readonly Schedule[]): readonly Schedule[] => {
  const told = new Set<string>()
  return schedules.filter(({ repeats, status }) => {
    if (repeats === null || status === 'Completed') return true
    const isNext = !told.has(repeats)
    told.add(repeats)
    return isNext
  })
}

/**
 * Returns the schedules to come, the next one first, then the past ones, the latest first. The given list is in order
 * of time.
 */
export const inOrder = (schedules: readonly Schedule[]): readonly Schedule[] => [
  ...schedules.filter(({ status }) => status === 'Pending'),
  ...schedules.filter(({ status }) => status === 'Completed').toReversed(),
]
