import type { ReplyOf } from '@trainyard/contract/call.ts'
import type { schedule } from '@trainyard/contract/calls/schedule.ts'
import type { ScheduleAction } from '@trainyard/contract/words/schedule.ts'

export type Schedule = ReplyOf<typeof schedule.list>['schedules'][number]

/** What the form calls what the wire calls Start and Stop. */
export const ACTION_LABELS: Record<ScheduleAction, string> = { Stop: 'Shut Down', Start: 'Power On' }

/** What is to come first, the next one on top; below it the past, the latest on top. The list comes in order of time. */
export const inOrder = (schedules: readonly Schedule[]): readonly Schedule[] => [
  ...schedules.filter(({ status }) => status === 'Pending'),
  ...schedules.filter(({ status }) => status === 'Completed').toReversed(),
]
