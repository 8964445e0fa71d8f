import type { z } from 'zod'
import type { scheduleConflicts } from '@trainyard/contract/calls/schedule.ts'
import type { TrainingId } from '@trainyard/contract/words/ids.ts'
import type { ScheduleAction } from '@trainyard/contract/words/schedule.ts'
import { hook } from '../../../core/events.ts'

/** Schedules of each week, on weekdays from 1 (Monday). */
interface Weekly {
  readonly training: TrainingId
  readonly action: ScheduleAction
  readonly time: string
  readonly weekdays: readonly number[]
  readonly from: string
  readonly until: string
}

/** Asks what speaks against schedules of each week. Answers throw Problem invalid if none of them would run. */
export const weeklyConflicts = hook<Weekly, z.output<typeof scheduleConflicts>>(
  'schedules.weeklyConflicts',
  [],
  (first, second) => [...first, ...second],
)
