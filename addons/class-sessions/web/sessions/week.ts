import type { ClassSession } from '../../contract/class-session.ts'
import { dayjs } from '@trainyard/platform/web/ui/dayjs.ts'

export const DAY_MINUTES = 24 * 60
/** A click or drag selects whole half hours. */
export const STEP_MINUTES = 30
/** Length of a session that is created by a click instead of a drag. */
const CLICK_MINUTES = 8 * 60

/** Returns the Monday of the week of a day, both YYYY-MM-DD. */
export const mondayOf = (date: string): string => addDays(date, -((dayjs.utc(date).day() + 6) % 7))

export const addDays = (date: string, days: number): string => dayjs.utc(date).add(days, 'day').format('YYYY-MM-DD')

export const daysOfWeek = (monday: string): readonly string[] =>
  Array.from({ length: 7 }, (_, day) => addDays(monday, day))

const MONTHS_OFFERED = 6

/** Returns the last days of the months that follow the month of a day. */
export const monthEndsAfter = (date: string) =>
  Array.from({ length: MONTHS_OFFERED }, (_, index) => {
    const end = dayjs
      .utc(date)
      .startOf('month')
      .add(index + 1, 'month')
      .endOf('month')
    return { date: end.format('YYYY-MM-DD'), month: end.format('MMM'), year: end.year() }
  })

/** Monday 1 to Sunday 7. */
export const weekdayOf = (date: string): number => ((dayjs.utc(date).day() + 6) % 7) + 1

export const isWeek = (text: string | undefined): text is string =>
  text !== undefined && /^20\d\d-\d\d-\d\d$/.test(text) && dayjs.utc(text).format('YYYY-MM-DD') === text

export const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

/** Formats minutes after midnight as HH:mm. Midnight at the end of the day is 00:00. */
export const timeAt = (minutes: number): string =>
  [Math.floor(minutes / 60) % 24, minutes % 60].map((part) => String(part).padStart(2, '0')).join(':')

export interface Block {
  readonly session: ClassSession
  /** Minutes after midnight. */
  readonly from: number
  readonly until: number
  /** The remaining part of a session that started on the previous day. */
  readonly continues: boolean
}

/** Returns the sessions, or the parts of sessions over midnight, on a day. */
export function blocksOn(date: string, sessions: readonly ClassSession[]): readonly Block[] {
  return sessions.flatMap((session): Block[] => {
    const [start, stop] = [minutesOf(session.start), minutesOf(session.stop)]
    const isOvernight = stop <= start
    if (session.date === date) {
      return [{ session, from: start, until: isOvernight ? DAY_MINUTES : stop, continues: false }]
    }
    const isRest = isOvernight && stop > 0 && addDays(session.date, 1) === date
    return isRest ? [{ session, from: 0, until: stop, continues: true }] : []
  })
}

/** Returns the hours that a week shows: from 8 to 18, or more if sessions need it. */
export function hoursShown(blocks: readonly Block[]): { readonly from: number; readonly until: number } {
  const from = Math.min(8, ...blocks.map((block) => Math.floor(block.from / 60)))
  const until = Math.max(18, ...blocks.map((block) => Math.ceil(block.until / 60)))
  return { from, until }
}

/**
 * Returns the times that a drag between two positions selects, or the times that a click selects if both positions are
 * equal.
 * @param down minutes after midnight at which the pointer went down
 * @param up minutes after midnight at which it is now
 */
export function timesOfDrag(down: number, up: number): { readonly from: number; readonly until: number } {
  const step = (minutes: number) => Math.floor(minutes / STEP_MINUTES) * STEP_MINUTES
  const [one, other] = [step(down), step(up)]
  if (one === other) return { from: one, until: Math.min(one + CLICK_MINUTES, DAY_MINUTES) }
  const limited = (minutes: number) => Math.max(0, Math.min(DAY_MINUTES, minutes))
  return { from: limited(Math.min(one, other)), until: limited(Math.max(one, other) + STEP_MINUTES) }
}
