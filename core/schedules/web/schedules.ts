import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { schedule } from '../contract/schedule.ts'
import type { ScheduleAction } from '../contract/schedule-words.ts'

export type Schedule = ReplyOf<typeof schedule.list>['schedules'][number]

export const ACTION_LABELS: Record<ScheduleAction, string> = { Stop: 'Shut Down', Start: 'Power On' }

/** Retains only the next run of each weekly schedule. The list must be in order of time. */
export const withoutRepeats = (schedules: readonly Schedule[]): readonly Schedule[] => {
  const seen = new Set<string>()
  return schedules.filter(({ repeats, status }) => {
    if (repeats === null || status === 'Completed') return true
    const isNext = !seen.has(repeats)
    seen.add(repeats)
    return isNext
  })
}

export const inOrder = (schedules: readonly Schedule[]): readonly Schedule[] => [
  ...schedules.filter(({ status }) => status === 'Pending'),
  ...schedules.filter(({ status }) => status === 'Completed').toReversed(),
]
