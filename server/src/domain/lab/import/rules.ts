import { Temporal } from 'temporal-polyfill'
import type { ScheduleAction } from '@trainyard/contract/words/schedule.ts'
import { instantOf } from '../schedule/instant.ts'
import { runsOf, type WeeklyRun } from '../schedule/weekly/runs.ts'
import type { LocalTime, SourceRecurrence, SourceSchedule } from './source.ts'

/** A weekly schedule of the portal spans at most this many days; a longer one becomes several. */
const SPAN_DAYS = 366
/** Maximum number of single schedules for a rule with an interval. Later days are not planned. */
const MAX_DATES = 366

/** A weekly rule, or single dates if the source has no recurrence or one that the portal does not support. */
export interface PortalRule {
  readonly action: ScheduleAction
  readonly time: string
  /** IANA name. */
  readonly timeZone: string
  readonly weekly: { readonly weekdays: readonly number[]; readonly from: string; readonly until: string } | null
  readonly dates: readonly string[]
}

/** Returns the portal's rules for a schedule: its starts, and its stops, which may be on the day after. */
export function rulesOf({ start, stop, repeats }: SourceSchedule, timeZone: string): PortalRule[] {
  const base = start ?? stop
  if (base === null) return []
  const rules = (at: LocalTime | null, action: ScheduleAction): PortalRule[] => {
    if (at === null) return []
    const shared = { action, time: at.time, timeZone }
    if (repeats === null) return [{ ...shared, weekly: null, dates: [at.date] }]
    const shift = daysBetween(base.date, at.date)
    return repeated(base.date, repeats, shift).map((rule) => ({ ...shared, ...rule }))
  }
  return [...rules(start, 'Start'), ...rules(stop, 'Stop')]
}

/** @param shift days between the day on which a run begins and the day of this action */
function repeated(first: string, repeats: SourceRecurrence, shift: number): Pick<PortalRule, 'weekly' | 'dates'>[] {
  const { every, interval, until } = repeats
  const named = repeats.weekdays.length === 0 ? [dayOfWeek(first)] : repeats.weekdays
  if (interval === 1) {
    const days = every === 'day' ? [1, 2, 3, 4, 5, 6, 7] : named
    const weekdays = days.map((day) => ((((day - 1 + shift) % 7) + 7) % 7) + 1).toSorted((a, b) => a - b)
    return spans(addDays(first, shift), addDays(until, shift)).map((span) => ({
      weekly: { weekdays, ...span },
      dates: [],
    }))
  }
  return [{ weekly: null, dates: datesOf(first, repeats, named).map((date) => addDays(date, shift)) }]
}

/** Returns the days of a rule with an interval. Weeks begin on Monday, as is usual for recurrence rules (RFC 5545). */
function datesOf(first: string, { every, interval, until }: SourceRecurrence, weekdays: readonly number[]): string[] {
  const dates: string[] = []
  const monday = addDays(first, 1 - dayOfWeek(first))
  for (let date = first; date <= until && dates.length < MAX_DATES; date = addDays(date, 1)) {
    const isDue =
      every === 'day'
        ? daysBetween(first, date) % interval === 0
        : Math.floor(daysBetween(monday, date) / 7) % interval === 0 && weekdays.includes(dayOfWeek(date))
    if (isDue) dates.push(date)
  }
  return dates
}

function spans(from: string, until: string): { from: string; until: string }[] {
  const found: { from: string; until: string }[] = []
  for (let start = from; start <= until; start = addDays(found.at(-1)!.until, 1)) {
    const last = addDays(start, SPAN_DAYS)
    found.push({ from: start, until: last < until ? last : until })
  }
  return found
}

/** Returns all runs of a rule, in order. */
export function runsOfRule({ weekly, dates, time, timeZone }: PortalRule): WeeklyRun[] {
  if (weekly !== null) return runsOf({ ...weekly, time }, timeZone)
  return dates.map((date) => ({ date, at: instantOf(date, time, timeZone) }))
}

const dayOfWeek = (date: string): number => Temporal.PlainDate.from(date).dayOfWeek
const addDays = (date: string, days: number): string => Temporal.PlainDate.from(date).add({ days }).toString()
const daysBetween = (from: string, to: string): number =>
  Temporal.PlainDate.from(from).until(to, { largestUnit: 'days' }).days
