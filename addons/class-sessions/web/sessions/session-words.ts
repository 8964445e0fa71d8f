import type { ClassSession } from '../../contract/class-session.ts'
import { formatWeekdays, WEEKDAY_NAMES } from '@trainyard/platform/contract/words/weekdays.ts'
import { formatDate, formatDay } from '@trainyard/platform/web/ui/time.ts'
import { weekdayOf } from './week.ts'

export const EVENT_WORDS = { Start: 'Power On', Stop: 'Shut Down', Ready: 'Ready by' } as const

export const dayWords = (date: string): string => `${WEEKDAY_NAMES[weekdayOf(date) - 1]} ${formatDay(date)}`

export const timeWords = ({ start, stop }: Pick<ClassSession, 'start' | 'stop'>): string =>
  `${start} to ${stop}${stop <= start ? ' on the next day' : ''}`

export const repeatWords = ({ weekly, moved }: ClassSession): string =>
  weekly === null
    ? 'Single session'
    : `${moved ? 'Changed from the weekly class' : 'Weekly'}: ${formatWeekdays(weekly.weekdays)} until ${formatDate(weekly.until)}`

export interface SessionState {
  readonly words: string
  readonly tone: 'planned' | 'running' | 'done' | 'skipped' | 'warning'
}

/** Returns what a session does or did, from the rows on which it is based. */
export function stateOf(session: ClassSession, now: Date): SessionState {
  const [startsAt, stopsAt] = [new Date(session.startsAt), new Date(session.stopsAt)]
  if (session.skipped) return { words: 'Skipped', tone: 'skipped' }
  if (stopsAt <= now) {
    if (session.powerOn === 'missed') return { words: 'Machines were not started', tone: 'warning' }
    return { words: 'Over', tone: 'done' }
  }
  if (session.shutDown === 'none') return { words: 'No shut down planned', tone: 'warning' }
  if (startsAt <= now) {
    return session.powerOn === 'missed'
      ? { words: 'Machines were not started', tone: 'warning' }
      : { words: 'In session', tone: 'running' }
  }
  if (session.powerOn === 'none') return { words: 'No power on planned', tone: 'warning' }
  if (session.holiday !== null) return { words: `On a holiday: ${session.holiday}`, tone: 'warning' }
  if (session.ready === 'missed') return { words: 'Preparation missed', tone: 'warning' }
  return session.ready === 'done'
    ? { words: 'Machines are being prepared', tone: 'running' }
    : { words: '', tone: 'planned' }
}
