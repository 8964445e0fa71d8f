import { Temporal } from 'temporal-polyfill'
import { instantOf } from '@trainyard/schedules/server/instant.ts'
import { clockNote, datesOf } from './weekly/runs.ts'

/** Rule of sessions. Dates are inclusive, times are local. */
export interface SessionRule {
  /** Weekdays from Monday 1 to Sunday 7; null: only the day `from`. */
  readonly weekdays: readonly number[] | null
  readonly from: string
  readonly until: string
  readonly start: string
  /** A time at or before `start` is on the next day. */
  readonly stop: string
}

export interface Occurrence {
  readonly date: string
  readonly start: string
  readonly stop: string
  readonly startsAt: Date
  readonly stopsAt: Date
}

export interface Occurrences {
  readonly sessions: readonly Occurrence[]
  /** Dates of the rule that are holidays. */
  readonly onHolidays: readonly string[]
  /** Dates on which the change of the clocks skips the whole session. */
  readonly skippedByClocks: readonly string[]
}

export interface Upcoming extends Occurrences {
  readonly timeZone: string
  readonly now: Date
  readonly machines: number
  /** Time that the machines need to become ready, in seconds. */
  readonly leadSeconds: number
}

export function occurrencesOf(rule: SessionRule, timeZone: string, holidays: ReadonlySet<string>): Occurrences {
  const { weekdays, from, until, start, stop } = rule
  const dates = weekdays === null ? [from] : datesOf({ weekdays, from, until })
  const all = dates.filter((date) => !holidays.has(date)).map((date) => occurrenceOn(date, { start, stop }, timeZone))
  return {
    sessions: all.filter(({ startsAt, stopsAt }) => stopsAt > startsAt),
    onHolidays: dates.filter((date) => holidays.has(date)),
    skippedByClocks: all.filter(({ startsAt, stopsAt }) => stopsAt <= startsAt).map(({ date }) => date),
  }
}

interface Times {
  readonly start: string
  readonly stop: string
}

export function occurrenceOn(date: string, times: Times, timeZone: string): Occurrence {
  const { start, stop } = times
  return {
    date,
    start,
    stop,
    startsAt: instantOf(date, start, timeZone),
    stopsAt: instantOf(stopDateOf(date, times), stop, timeZone),
  }
}

export const stopDateOf = (date: string, { start, stop }: Times): string => (stop > start ? date : dayAfter(date))

const dayAfter = (date: string): string => Temporal.PlainDate.from(date).add({ days: 1 }).toString()

export const occurrenceNote = ({ date, start, stop }: Occurrence, timeZone: string): string | null =>
  clockNote(date, start, timeZone) ?? clockNote(stopDateOf(date, { start, stop }), stop, timeZone)
