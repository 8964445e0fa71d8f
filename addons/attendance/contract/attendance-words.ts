export const ATTENDANCE_DAYS_MAX = 92
