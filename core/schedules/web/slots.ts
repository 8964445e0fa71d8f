import type { Api } from '@trainyard/platform/web/api/client.ts'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import type { ScheduleAction } from '../contract/schedule-words.ts'
import { service, slot } from '@trainyard/platform/web/shell/module.ts'

/** Beside the heading of Schedule Task. */
export const scheduleActions = slot<object>('schedules.actions')

/** Finds the training's last day, and renders nothing. */
export const lastDay = slot<{ training: TrainingQuery; found: (day: string | null) => void }>('schedules.last-day')

/** Below the schedules of a training. */
export const scheduleSections = slot<Known, Known>('schedules.sections')

interface Known {
  readonly training: TrainingQuery
}

export interface WeeklyPlan {
  readonly action: ScheduleAction
  readonly time: string
  readonly weekdays: number[]
  readonly from: string
  readonly until: string
}

/** Plans a weekly schedule. Without a module that provides it, schedules are planned one by one. */
export const planWeekly =
  service<(api: Api, training: TrainingQuery, plan: WeeklyPlan) => Promise<{ readonly message?: string }>>(
    'schedules.plan-weekly',
  )
