export const SCHEDULE_ACTIONS = ['Start', 'Stop'] as const
export type ScheduleAction = (typeof SCHEDULE_ACTIONS)[number]

export const SCHEDULE_STATUSES = ['Pending', 'Completed'] as const
export type ScheduleStatus = (typeof SCHEDULE_STATUSES)[number]

/** Kinds of conflicts. Only `opposite` prevents saving. */
export const CONFLICT_KINDS = ['opposite', 'planned', 'window', 'end'] as const
