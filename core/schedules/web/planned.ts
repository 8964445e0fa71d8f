import type { ScheduleAction } from '../contract/schedule-words.ts'
import { dayjs } from '@trainyard/platform/web/ui/dayjs.ts'
import { formatDate } from '@trainyard/platform/web/ui/time.ts'

/** An entry of the pending list: day (YYYY-MM-DD) and time (HH:mm) in the organisation's time zone. */
export interface Planned {
  readonly date: string
  readonly time: string
  readonly action: ScheduleAction
}

export const keyOf = ({ date, time, action }: Planned): string => `${date} ${time} ${action}`

export function addPlanned(
  list: readonly Planned[],
  dates: readonly string[],
  entry: Omit<Planned, 'date'>,
): readonly Planned[] {
  const all = new Map([...list, ...dates.map((date) => ({ date, ...entry }))].map((one) => [keyOf(one), one]))
  return [...all.values()].sort((a, b) => keyOf(a).localeCompare(keyOf(b)))
}

export const hasPassed = ({ date, time }: Planned, timeZone: string, now: Date): boolean =>
  !dayjs.tz(`${date} ${time}`, timeZone).isAfter(now)

/**
 * Returns a warning if the time does not exist or exists twice on that day because the clocks change; otherwise null.
 */
export function clockNote({ date, time }: Planned, timeZone: string): string | null {
  const shows = (minutes: number) =>
    dayjs.tz(`${date} ${time}`, timeZone).add(minutes, 'minute').tz(timeZone).format('YYYY-MM-DD HH:mm')
  const asked = `${date} ${time}`
  if (shows(0) !== asked) return `Clocks skip ${time} on that day. The run starts when they go forward.`
  if ([-60, -30, 30, 60].some((minutes) => shows(minutes) === asked)) {
    return `Clocks go back on that day and show ${time} twice. The run starts the first time.`
  }
  return null
}

export const endNote = ({ date }: Planned, endsOn: string | null): string | null =>
  endsOn !== null && date > endsOn ? `After the training’s last day, ${formatDate(endsOn)}.` : null
