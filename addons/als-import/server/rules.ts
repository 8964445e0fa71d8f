import { Temporal } from 'temporal-polyfill'
import { day, timeOfDay } from '@trainyard/platform/contract/shapes.ts'
import type { ScheduleAction } from '@trainyard/schedules/contract/schedule-words.ts'
import { instantOf } from '@trainyard/schedules/server/instant.ts'
import { runsOf, type WeeklyRun } from '@trainyard/class-sessions/server/weekly/runs.ts'
import type { LocalTime, SourceRecurrence, SourceSchedule } from './source.ts'
import { ianaZone } from './zones.ts'

/**
 * Maximum number of days that a weekly schedule of the portal spans. A longer schedule is split into several schedules.
 */
const SPAN_DAYS = 366
/** Maximum number of years from the first day of a schedule, or from today if today is later, to the last day. */
const MAX_YEARS = 2
/** Maximum days between start and stop of a repeated schedule. */
const MAX_SHIFT = 7

/**
 * A weekly rule. If the source has no recurrence, or a recurrence that the portal does not support, it is a list of
 * dates.
 */
export interface PortalRule {
  readonly action: ScheduleAction
  readonly time: string
  /** IANA name. */
  readonly timeZone: string
  readonly weekly: { readonly weekdays: readonly number[]; readonly from: string; readonly until: string } | null
  readonly dates: readonly string[]
}

/** Returns the reason why a schedule cannot have rules; null if it can. */
export function problemOf({ start, stop, repeats, timeZone }: SourceSchedule, now: Date): string | null {
  const zone = ianaZone(timeZone)
  if (zone === null) return `The time zone ${timeZone} is unknown.`
  for (const at of [start, stop]) {
    if (at === null) continue
    if (!day.safeParse(at.date).success) return `${at.date} is not a date from 1900 to 2999.`
    if (!timeOfDay.safeParse(at.time).success) return `${at.time} is not a time.`
  }
  const first = (start ?? stop)?.date
  if (repeats === null || first === undefined) return null
  const { until } = repeats
  if (!day.safeParse(until).success) return `Its last day, ${until}, is not a date from 1900 to 2999.`
  if (start !== null && stop !== null && Math.abs(daysBetween(start.date, stop.date)) > MAX_SHIFT) {
    return `Its start and its stop are more than ${MAX_SHIFT} days apart.`
  }
  const today = dayOf(now, zone)
  const last = Temporal.PlainDate.from(first > today ? first : today).add({ years: MAX_YEARS })
  return until > last.toString() ? `Its last day, ${until}, is more than ${MAX_YEARS} years ahead.` : null
}

/**
 * Returns the portal's rules for a schedule. Starts and stops have separate rules, because a stop may be on the next
 * day. Excludes rules and dates before today. Returns no rules for a schedule with a problem.
 */
export function rulesOf(schedule: SourceSchedule, timeZone: string, now: Date): PortalRule[] {
  const { start, stop, repeats } = schedule
  const base = start ?? stop
  if (base === null || problemOf(schedule, now) !== null) return []
  const today = dayOf(now, timeZone)
  const rules = (at: LocalTime | null, action: ScheduleAction): PortalRule[] => {
    if (at === null) return []
    const shared = { action, time: at.time, timeZone }
    if (repeats === null) return [{ ...shared, weekly: null, dates: [at.date] }]
    const shift = daysBetween(base.date, at.date)
    return repeated(base.date, repeats, shift, today).map((rule) => ({ ...shared, ...rule }))
  }
  return withoutPast([...rules(start, 'Start'), ...rules(stop, 'Stop')], now)
}

/**
 * Removes rules and dates before today, except the last date of each action, which is shown when a schedule has ended.
 * Call this function for rules of an earlier import too before comparing them.
 */
export function withoutPast(rules: readonly PortalRule[], now: Date): PortalRule[] {
  return rules.flatMap((rule, index): PortalRule[] => {
    const today = dayOf(now, rule.timeZone)
    if (rule.weekly !== null) {
      const isLast = rules[index + 1]?.action !== rule.action
      return isLast || rule.weekly.until >= today ? [rule] : []
    }
    const upcoming = rule.dates.filter((date) => date >= today)
    return [{ ...rule, dates: upcoming.length > 0 ? upcoming : rule.dates.slice(-1) }]
  })
}

/** @param shift days between the day on which a run begins and the day of this action */
function repeated(
  first: string,
  repeats: SourceRecurrence,
  shift: number,
  today: string,
): Pick<PortalRule, 'weekly' | 'dates'>[] {
  const { every, interval, until } = repeats
  const named = repeats.weekdays.length === 0 ? [dayOfWeek(first)] : [...new Set(repeats.weekdays)]
  if (interval === 1) {
    const days = every === 'day' ? [1, 2, 3, 4, 5, 6, 7] : named
    const weekdays = days.map((day) => ((((day - 1 + shift) % 7) + 7) % 7) + 1).toSorted((a, b) => a - b)
    return spans(addDays(first, shift), addDays(until, shift), today).map((span) => ({
      weekly: { weekdays, ...span },
      dates: [],
    }))
  }
  return [{ weekly: null, dates: datesOf(first, repeats, named, today).map((date) => addDays(date, shift)) }]
}

/**
 * Returns the days of a rule with an interval, from shortly before today. Weeks begin on Monday, the default of
 * recurrence rules (RFC 5545).
 */
function datesOf(
  first: string,
  { every, interval, until }: SourceRecurrence,
  weekdays: readonly number[],
  today: string,
): string[] {
  const begin = every === 'day' ? first : addDays(first, 1 - dayOfWeek(first))
  const period = every === 'day' ? interval : 7 * interval
  const offsets = every === 'day' ? [0] : weekdays.map((weekday) => weekday - 1).toSorted((a, b) => a - b)
  const dates: string[] = []
  for (let at = period * firstPeriod(begin, until, addDays(today, -MAX_SHIFT), period, 1); ; at += period) {
    if (at > daysBetween(begin, until)) return dates
    for (const offset of offsets) {
      const date = addDays(begin, at + offset)
      if (date >= first && date <= until) dates.push(date)
    }
  }
}

/** Returns spans that begin at fixed distances, so that the rules of a schedule do not change every day. */
function spans(from: string, until: string, today: string): { from: string; until: string }[] {
  const found: { from: string; until: string }[] = []
  const period = SPAN_DAYS + 1
  for (let number = firstPeriod(from, until, today, period, 0); ; number++) {
    const start = addDays(from, number * period)
    if (start > until) return found
    const last = addDays(start, SPAN_DAYS)
    found.push({ from: start, until: last < until ? last : until })
  }
}

/** Returns the number of the period that contains today (or the last day, if it is earlier), minus `before`. */
function firstPeriod(from: string, until: string, today: string, period: number, before: number): number {
  const days = daysBetween(from, today < until ? today : until)
  return Math.max(0, Math.floor(days / period) - before)
}

/** Returns all runs of a rule, in order. */
export function runsOfRule({ weekly, dates, time, timeZone }: PortalRule): WeeklyRun[] {
  if (weekly !== null) return runsOf({ ...weekly, time }, timeZone)
  return dates.map((date) => ({ date, at: instantOf(date, time, timeZone) }))
}

/** Returns the last run of a rule without computing the other runs; null if the rule has no run. */
export function lastRunOf({ weekly, dates, time, timeZone }: PortalRule): Date | null {
  let date: string | undefined = dates.at(-1)
  if (weekly !== null) {
    const ends = [0, 1, 2, 3, 4, 5, 6].map((days) => addDays(weekly.until, -days))
    date = ends.find((end) => end >= weekly.from && weekly.weekdays.includes(dayOfWeek(end)))
  }
  return date === undefined ? null : instantOf(date, time, timeZone)
}

/** Returns the local date of an instant. */
const dayOf = (now: Date, timeZone: string): string =>
  Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timeZone).toPlainDate().toString()

const dayOfWeek = (date: string): number => Temporal.PlainDate.from(date).dayOfWeek
const addDays = (date: string, days: number): string => Temporal.PlainDate.from(date).add({ days }).toString()
const daysBetween = (from: string, to: string): number =>
  Temporal.PlainDate.from(from).until(to, { largestUnit: 'days' }).days
