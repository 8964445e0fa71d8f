import type { ReplyOf } from '@trainyard/contract/call.ts'
import type { schedule } from '@trainyard/contract/calls/schedule.ts'
import type { ScheduleAction } from '@trainyard/contract/words/schedule.ts'

export type Schedule = ReplyOf<typeof schedule.list>['schedules'][number]

/** What the form calls what the wire calls Start and Stop. */
export const ACTION_LABELS: Record<ScheduleAction, string> = { Stop: 'Shut Down', Start: 'Power On' }

/** Query keys; the training's selection follows. */
export const schedulesKey = 'schedules'
export const windowKey = 'access window'
