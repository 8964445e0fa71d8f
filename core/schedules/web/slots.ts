import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { slot } from '@trainyard/platform/web/shell/module.ts'

/** Beside the heading of Schedule Task. */
export const scheduleActions = slot<object>('schedules.actions')

/** Finds the training's last day, and renders nothing. */
export const lastDay = slot<{ training: TrainingQuery; found: (day: string | null) => void }>('schedules.last-day')

/** Below the schedules of a training. */
export const scheduleSections = slot<Known, Known>('schedules.sections')

interface Known {
  readonly training: TrainingQuery
}
