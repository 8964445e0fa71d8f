export const REMINDERS = ['off', 'on'] as const

export const PAYMENT_DAYS_MAX = 180
const REMINDER_DAYS_MAX = 365
export const REMINDER_STEPS_MAX = 5

export const isReminderDays = (days: readonly number[]): boolean =>
  days.length >= 1 &&
  days.length <= REMINDER_STEPS_MAX &&
  days.every(
    (day, place) =>
      Number.isInteger(day) && day >= 1 && day <= REMINDER_DAYS_MAX && (place === 0 || day > days[place - 1]!),
  )

export const OVERDUE_DAYS_MAX = 365

export interface OverdueDays {
  readonly warnDays: number | null
  readonly holdDays: number | null
  readonly stopDays: number | null
}

/** True if no step is later than the one after it. */
export const isOverdueOrder = ({ warnDays, holdDays, stopDays }: OverdueDays): boolean => {
  const days = [warnDays, holdDays, stopDays].filter((each) => each !== null)
  return days.every((each, place) => place === 0 || each >= days[place - 1]!)
}
