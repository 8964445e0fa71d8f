import { Temporal } from 'temporal-polyfill'

export interface SessionHours {
  readonly date: string
  readonly start: string
  /** A time at or before `start` is on the next day. */
  readonly stop: string
}

export interface Window {
  readonly start: string
  readonly stop: string
  /** Days on which the window opens, Monday 1 to Sunday 7. Null for every day. */
  readonly days: readonly number[] | null
}

/**
 * Returns the smallest daily window that is open during all sessions; null if no time of day remains closed. A training
 * has one window, so sessions at different hours share a window from the earliest start to the latest end.
 */
export function enclosingWindow(sessions: readonly SessionHours[]): Window | null {
  if (sessions.length === 0) return null
  const start = earliest(sessions.map((session) => session.start))
  const overnight = sessions.filter((session) => session.stop <= session.start)
  const stop = latest((overnight.length > 0 ? overnight : sessions).map((session) => session.stop))
  if (overnight.length > 0 && stop >= start) return null
  const days = [...new Set(sessions.map(({ date }) => Temporal.PlainDate.from(date).dayOfWeek))]
  return { start, stop, days: days.length === 7 ? null : days.toSorted((a, b) => a - b) }
}

const earliest = (times: readonly string[]) =>
  times.reduce((earliestSoFar, time) => (time < earliestSoFar ? time : earliestSoFar))
const latest = (times: readonly string[]) =>
  times.reduce((latestSoFar, time) => (time > latestSoFar ? time : latestSoFar))
