import { formatDuration } from '@trainyard/platform/contract/words/duration.ts'
import { formatWeekdays } from '@trainyard/platform/contract/words/weekdays.ts'
import { dayjs } from '@trainyard/platform/web/ui/dayjs.ts'

/** HH:mm. If the start is after the stop, the window spans midnight and belongs to the day on which it opened. */
export interface Daily {
  readonly start: string
  readonly stop: string
  /** Weekdays on which the window opens, Monday 1 to Sunday 7; null for every day. */
  readonly days: readonly number[] | null
}

export interface Moment {
  readonly weekday: number
  readonly time: string
}

const DAY = 24 * 60
const WEEK = 7 * DAY
const minuteOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))
const dayBefore = (weekday: number) => (weekday === 1 ? 7 : weekday - 1)

export function momentIn(instant: Date, timeZone: string): Moment {
  const there = dayjs(instant).tz(timeZone)
  return { weekday: there.day() || 7, time: there.format('HH:mm') }
}

/** Returns true if the moment is within the window; the start is inclusive, the stop exclusive. */
export const isOpen = (window: Daily, { weekday, time }: Moment): boolean => isOpenAt(window, weekday, minuteOf(time))

/** Returns the open parts of a weekday as fractions of the day, 0 to 1. */
export function openParts(window: Daily, weekday: number): readonly { from: number; to: number }[] {
  const [from, to] = [fractionOfDay(window.start), fractionOfDay(window.stop)]
  const parts =
    from < to
      ? [{ from, to, startDay: weekday }]
      : [
          { from: 0, to, startDay: dayBefore(weekday) },
          { from, to: 1, startDay: weekday },
        ]
  return parts
    .filter((part) => part.from < part.to && opensOn(window, part.startDay))
    .map((part) => ({ from: part.from, to: part.to }))
}

export const fractionOfDay = (time: string): number => minuteOf(time) / DAY

/** Returns the time until the window next opens or closes: '2 h 5 min', or '1 d 15 h'. */
export const untilNext = (window: Daily, moment: Moment): string => minutesInWords(minutesUntilNext(window, moment))

/** Returns the time in ms until the window next opens or closes, at the start of a minute. */
export const msUntilNext = (window: Daily, moment: Moment, now: Date): number =>
  minutesUntilNext(window, moment) * 60_000 - (now.getTime() % 60_000)

/** Returns when the window next opens or closes: '17:00', or 'Mon 09:00' on another day. */
export function nextChange(window: Daily, moment: Moment): string {
  const now = (moment.weekday - 1) * DAY + minuteOf(moment.time)
  const then = (now + minutesUntilNext(window, moment)) % WEEK
  const weekday = Math.floor(then / DAY) + 1
  const time = `${String(Math.floor(then / 60) % 24).padStart(2, '0')}:${String(then % 60).padStart(2, '0')}`
  return weekday === moment.weekday ? time : `${formatWeekdays([weekday])} ${time}`
}

function minutesUntilNext(window: Daily, { weekday, time }: Moment): number {
  const now = (weekday - 1) * DAY + minuteOf(time)
  const at = (minute: number) => isOpenAt(window, (Math.floor(minute / DAY) % 7) + 1, minute % DAY)
  let minutes = 1
  while (minutes < WEEK && at(now + minutes) === at(now)) minutes += 1
  return minutes
}

/** Formats whole minutes (at least one): '2 h 5 min', or '1 d 15 h'. */
function minutesInWords(minutes: number): string {
  const [days, hours, rest] = [Math.floor(minutes / DAY), Math.floor(minutes / 60) % 24, minutes % 60]
  return [days > 0 && `${days} d`, hours > 0 && `${hours} h`, rest > 0 && `${rest} min`].filter(Boolean).join(' ')
}

/** Formats a countdown, such as '1 h 20 min', or '95 s' within the last two minutes. */
export function formatCountdown(at: Date, now: Date): string {
  const seconds = Math.max(0, (at.getTime() - now.getTime()) / 1000)
  return seconds < 120 ? formatDuration(seconds) : minutesInWords(Math.ceil(seconds / 60))
}

const opensOn = ({ days }: Daily, weekday: number): boolean => days === null || days.includes(weekday)

function isOpenAt(window: Daily, weekday: number, minute: number): boolean {
  const [start, stop] = [minuteOf(window.start), minuteOf(window.stop)]
  if (start < stop) return minute >= start && minute < stop && opensOn(window, weekday)
  return (minute >= start && opensOn(window, weekday)) || (minute < stop && opensOn(window, dayBefore(weekday)))
}
