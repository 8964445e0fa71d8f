import { Temporal } from 'temporal-polyfill'
import { CLOCK_NOTES } from '@trainyard/contract/words/recurrence.ts'
import { instantOf } from '../instant.ts'

/** Days of the week, from a date until another, both among them; a time of day on the clocks of a zone. */
export interface WeeklyRule {
  /** Monday 1 to Sunday 7. */
  readonly weekdays: readonly number[]
  /** HH:mm */
  readonly time: string
  /** YYYY-MM-DD */
  readonly from: string
  readonly until: string
}

/** One run of a weekly schedule: the day on the calendar, and the instant that follows from it. */
export interface WeeklyRun {
  readonly date: string
  readonly at: Date
}

/** The runs of a rule in order. A day's instant is found as that of any schedule; see docs/decisions/010-local-times.md. */
export function runsOf({ weekdays, time, from, until }: WeeklyRule, timeZone: string): WeeklyRun[] {
  const days = new Set(weekdays)
  const last = Temporal.PlainDate.from(until)
  const runs: WeeklyRun[] = []
  for (
    let day = Temporal.PlainDate.from(from);
    Temporal.PlainDate.compare(day, last) <= 0;
    day = day.add({ days: 1 })
  ) {
    if (!days.has(day.dayOfWeek)) continue
    const date = day.toString()
    runs.push({ date, at: instantOf(date, time, timeZone) })
  }
  return runs
}

/** Returns the word on a time that the clocks of its day skip or show twice; null for all others. */
export function clockNote(date: string, time: string, timeZone: string): string | null {
  const local = Temporal.PlainDateTime.from(`${date}T${time}`)
  const early = local.toZonedDateTime(timeZone, { disambiguation: 'earlier' })
  const late = local.toZonedDateTime(timeZone, { disambiguation: 'later' })
  if (early.epochMilliseconds === late.epochMilliseconds) return null
  return early.toPlainDateTime().equals(local) ? CLOCK_NOTES.twice(time) : CLOCK_NOTES.skipped(time)
}
