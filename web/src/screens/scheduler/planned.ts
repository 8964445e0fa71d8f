import type { ScheduleAction } from '@trainyard/contract/words/schedule.ts'
import { dayjs } from '#src/ui/dayjs.ts'
import { formatDate } from '#src/ui/time.ts'

/** An entry of the pending list: a day (YYYY-MM-DD) and a time (HH:mm) in the organisation's zone. */
export interface Planned {
  readonly date: string
  readonly time: string
  readonly action: ScheduleAction
}

/** Returns an entry's key: two entries with the same key would do the same thing twice. */
export const keyOf = ({ date, time, action }: Planned): string => `${date} ${time} ${action}`

/** Returns the list with these dates added, in order of time; an entry that it has already is not added again. */
export function addPlanned(
  list: readonly Planned[],
  dates: readonly string[],
  entry: Omit<Planned, 'date'>,
): readonly Planned[] {
  const all = new Map([...list, ...dates.map((date) => ({ date, ...entry }))].map((one) => [keyOf(one), one]))
  return [...all.values()].sort((a, b) => keyOf(a).localeCompare(keyOf(b)))
}

/** Returns true where the entry's instant has passed. */
export const isOver = ({ date, time }: Planned, timeZone: string, now: Date): boolean =>
  !dayjs.tz(`${date} ${time}`, timeZone).isAfter(now)

/** Returns the warning for a time that the clocks of that day skip or show twice; null for all others. */
export function clockNote({ date, time }: Planned, timeZone: string): string | null {
  const shows = (minutes: number) =>
    dayjs.tz(`${date} ${time}`, timeZone).add(minutes, 'minute').tz(timeZone).format('YYYY-MM-DD HH:mm')
  const asked = `${date} ${time}`
  if (shows(0) !== asked) return `Clocks go forward over ${time} that day: it happens as they do.`
  if ([-60, -30, 30, 60].some((minutes) => shows(minutes) === asked)) {
    return `Clocks go back that day and show ${time} twice: it happens the first time.`
  }
  return null
}

/** Returns the warning for a day after the training's last; null for all others. */
export const endNote = ({ date }: Planned, endsOn: string | null): string | null =>
  endsOn !== null && date > endsOn ? `After the training’s last day, ${formatDate(endsOn)}.` : null
