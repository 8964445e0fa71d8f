export const ATTENDANCE_DAYS_MAX = 92
/** Pauses up to this length between inputs count as active. */
export const ACTIVE_PAUSE_MINUTES = 5
