import type { ScheduleAction } from './schedule.ts'
import { SCHEDULE_GRACE_MINUTES } from './limits.ts'

/** Names of weekdays in the order of ISO 8601: Monday is 1. */
export const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const
export const WEEKDAY_NAMES = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const
export type Weekday = 1 | 2 | 3 | 4 | 5 | 6 | 7

export const formatWeekdays = (days: readonly number[]): string =>
  days.length === WEEKDAYS.length
    ? 'every day'
    : [...days]
        .sort((a, b) => a - b)
        .map((day) => WEEKDAYS[day - 1])
        .join(', ')

export const MISSED_RULE =
  `The portal starts a delayed run up to ${SCHEDULE_GRACE_MINUTES} minutes late. ` +
  'After that, the run is skipped and shown as missed.'

/** Kinds of conflicts. Only `opposite` prevents saving. */
export const CONFLICT_KINDS = ['opposite', 'planned', 'window', 'end'] as const
export type ConflictKind = (typeof CONFLICT_KINDS)[number]

const ACTIONS: Readonly<Record<ScheduleAction, string>> = { Start: 'Power On', Stop: 'Shut Down' }
const runs = (count: number): string => (count === 1 ? 'One run' : `${count} runs`)
const plural = (count: number, one: string, many: string): string => (count === 1 ? one : many)

/** Dates are DD/MM/YYYY. */
export const CONFLICTS = {
  opposite: (count: number, first: string, action: ScheduleAction) =>
    `${runs(count)} ${plural(count, 'is', 'are')} planned for the same minute as a ${ACTIONS[action]} of this training, the first on ${first}.`,
  planned: (count: number) =>
    `${runs(count)} ${plural(count, 'is', 'are')} already planned and ${plural(count, 'stays', 'stay')} unchanged.`,
  outside: (count: number, window: string) =>
    `${runs(count)} ${plural(count, 'starts', 'start')} the machines outside the access window of learners, ${window}.`,
  inside: (count: number, window: string) =>
    `${runs(count)} ${plural(count, 'stops', 'stop')} the machines inside the access window of learners, ${window}.`,
  end: (count: number, end: string) =>
    `${runs(count)} ${plural(count, 'is', 'are')} after the end of the training, ${end}.`,
} as const

export const CLOCK_NOTES = {
  skipped: (time: string) => `Clocks skip ${time} on that day. The run starts when they go forward.`,
  twice: (time: string) => `Clocks go back on that day and show ${time} twice. The run starts the first time.`,
} as const
