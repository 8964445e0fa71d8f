import type { z } from 'zod'
import type { scheduleConflicts } from '@trainyard/contract/calls/schedule.ts'
import type { TrainingId } from '@trainyard/contract/words/ids.ts'
import type { ScheduleAction } from '@trainyard/contract/words/schedule.ts'
import { hook } from '../../../core/events.ts'

interface UnplannedWeekly {
  readonly training: TrainingId
  readonly rule: {
    readonly action: ScheduleAction
    /** Monday 1 to Sunday 7. */
    readonly weekdays: readonly number[]
    readonly time: string
    readonly from: string
    readonly until: string
  }
}

/** Conflicts of a weekly schedule that is not planned yet. Throws Problem invalid if it has no future run. */
export const weeklyConflicts = hook<UnplannedWeekly, z.output<typeof scheduleConflicts>>(
  'schedules.weeklyConflicts',
  [],
  (first, second) => [...first, ...second],
)
