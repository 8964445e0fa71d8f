import { useMediaQuery } from '@mantine/hooks'
import { useId } from 'react'
import { formatDate, today } from '#src/ui/time.ts'
import { useNow } from '#src/ui/useNow.ts'
import type { Schedule } from '../schedules.ts'
import styles from './Calendar.module.css'
import { DayList } from './DayList.tsx'
import { isMonth, formatMonth } from './month.ts'
import { MonthGrid } from './MonthGrid.tsx'
import { MonthTurn } from './MonthTurn.tsx'

interface CalendarProps {
  /** All schedules of the training in order of time, including runs of weekly ones. */
  schedules: readonly Schedule[]
  timeZone: string
  /** null for the current month in the time zone. */
  month: string | null
  turnTo: (month: string | null) => void
}

/** Schedules of a month: a table of days, or on narrow screens a list of the days with schedules. */
export default function Calendar({ schedules, timeZone, month, turnTo }: CalendarProps) {
  const heading = useId()
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  const day = today(useNow(), timeZone)
  const present = day.slice(0, 7)
  const shown = month ?? present
  const ofMonth = schedules.filter(({ date }) => date.startsWith(shown))
  const byDay = Map.groupBy(ofMonth, ({ date }) => date)
  const next = schedules.find(({ status, date }) => status === 'Pending' && isMonth(date.slice(0, 7)))
  const turn = (to: string) => turnTo(to === present ? null : to)
  return (
    <div className="stack">
      <div className={`ends ${styles.head}`}>
        <h3 id={heading} aria-live="polite">
          {formatMonth(shown)}
        </h3>
        <MonthTurn shown={shown} present={present} turn={turn} />
      </div>
      {ofMonth.length === 0 && (
        <output className={styles.hint}>
          Nothing is scheduled in {formatMonth(shown)}.{' '}
          {next && (
            <button type="button" className="text-button" onClick={() => turn(next.date.slice(0, 7))}>
              Go to the next, {formatDate(next.date)}
            </button>
          )}
        </output>
      )}
      {isNarrow ? (
        <DayList byDay={byDay} today={day} label={heading} />
      ) : (
        <MonthGrid month={shown} byDay={byDay} today={day} label={heading} />
      )}
      <p className={styles.hint}>Dates and times are in the zone {timeZone}.</p>
    </div>
  )
}
