import { Temporal } from 'temporal-polyfill'
import { CLOCK_NOTES } from '../../contract/recurrence-words.ts'
import { instantOf } from '@trainyard/schedules/server/instant.ts'

/** Rule of a weekly schedule. Dates are inclusive, the time is local. */
export interface WeeklyRule {
  /** Monday 1 to Sunday 7. */
  readonly weekdays: readonly number[]
  readonly time: string
  readonly from: string
  readonly until: string
}

export interface WeeklyRun {
  readonly date: string
  readonly at: Date
}

export const runsOf = (rule: WeeklyRule, timeZone: string): WeeklyRun[] =>
  datesOf(rule).map((date) => ({ date, at: instantOf(date, rule.time, timeZone) }))

/** Returns the local dates of a rule. */
export function datesOf({ weekdays, from, until }: Omit<WeeklyRule, 'time'>): string[] {
  const days = new Set(weekdays)
  const last = Temporal.PlainDate.from(until)
  const dates: string[] = []
  for (
    let day = Temporal.PlainDate.from(from);
    Temporal.PlainDate.compare(day, last) <= 0;
    day = day.add({ days: 1 })
  ) {
    if (days.has(day.dayOfWeek)) dates.push(day.toString())
  }
  return dates
}

export function clockNote(date: string, time: string, timeZone: string): string | null {
  const local = Temporal.PlainDateTime.from(`${date}T${time}`)
  const early = local.toZonedDateTime(timeZone, { disambiguation: 'earlier' })
  const late = local.toZonedDateTime(timeZone, { disambiguation: 'later' })
  if (early.epochMilliseconds === late.epochMilliseconds) return null
  return early.toPlainDateTime().equals(local) ? CLOCK_NOTES.twice(time) : CLOCK_NOTES.skipped(time)
}
