import type { TrainingQuery } from '#src/navigation/selection.ts'
import { slot } from '#src/shell/module.ts'

/** Above the schedules of a training. */
export const scheduleCalendar = slot<{ training: TrainingQuery; timeZone: string }>('schedules.calendar')

/** Below the schedules of a training. */
export const scheduleSections = slot<Known & { timeZone: string | null }, Known>('schedules.sections')

interface Known {
  readonly training: TrainingQuery
}
