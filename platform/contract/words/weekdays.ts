/** Names of weekdays in the order of ISO 8601: Monday is 1. */
export const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const
export const WEEKDAY_NAMES = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const

export const formatWeekdays = (days: readonly number[]): string =>
  days.length === WEEKDAYS.length
    ? 'every day'
    : [...days]
        .sort((a, b) => a - b)
        .map((day) => WEEKDAYS[day - 1])
        .join(', ')
