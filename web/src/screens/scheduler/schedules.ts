import type { ReplyOf } from '@trainyard/contract/call.ts'
import type { schedule } from '@trainyard/contract/calls/schedule.ts'
import type { ScheduleAction } from '@trainyard/contract/words/schedule.ts'

export type Schedule = ReplyOf<typeof schedule.list>['schedules'][number]

/** The form's names for the wire's Start and Stop. */
export const ACTION_LABELS: Record<ScheduleAction, string> = { Stop: 'Shut Down', Start: 'Power On' }

/**
 * Returns the schedules to come, the next one first, then the past ones, the latest first. The given list is in order
 * of time.
 */
export const inOrder = (schedules: readonly Schedule[]): readonly Schedule[] => [
  ...schedules.filter(({ status }) => status === 'Pending'),
  ...schedules.filter(({ status }) => status === 'Completed').toReversed(),
]
