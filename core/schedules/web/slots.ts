import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { slot } from '@trainyard/platform/web/shell/module.ts'

/** Above the schedules of a training. */
export const scheduleCalendar = slot<{ training: TrainingQuery; timeZone: string }>('schedules.calendar')

/** Below the schedules of a training. */
export const scheduleSections = slot<Known & { timeZone: string | null }, Known>('schedules.sections')

interface Known {
  readonly training: TrainingQuery
}
