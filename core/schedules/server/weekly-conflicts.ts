import type { z } from 'zod'
import type { scheduleConflicts } from '../contract/schedule.ts'
import type { TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import type { ScheduleAction } from '../contract/schedule-words.ts'
import { hook } from '@trainyard/platform/server/core/events.ts'

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
