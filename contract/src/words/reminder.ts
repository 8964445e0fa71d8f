export const REMINDERS = ['off', 'on'] as const
export type Reminders = (typeof REMINDERS)[number]

export const PAYMENT_DAYS_MAX = 180
export const REMINDER_DAYS_MAX = 365
export const REMINDER_STEPS_MAX = 5

export function reminderDaysIn(text: string): number[] | null {
  const days = text
    .split(/[\s,]+/)
    .filter((part) => part !== '')
    .map(Number)
  return isReminderDays(days) ? days : null
}

export const isReminderDays = (days: readonly number[]): boolean =>
  days.length >= 1 &&
  days.length <= REMINDER_STEPS_MAX &&
  days.every(
    (day, place) =>
      Number.isInteger(day) && day >= 1 && day <= REMINDER_DAYS_MAX && (place === 0 || day > days[place - 1]!),
  )
