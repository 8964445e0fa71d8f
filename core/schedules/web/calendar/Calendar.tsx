import { useMediaQuery } from '@mantine/hooks'
import { useId } from 'react'
import { formatDate, today, formatDay } from '@trainyard/platform/web/ui/time.ts'
import { useNow } from '@trainyard/platform/web/ui/useNow.ts'
import { TextButton } from '@trainyard/platform/web/ui/TextButton.tsx'
import type { Schedule } from '../schedules.ts'
import styles from './Calendar.module.css'
import { isMonth, formatMonth, monthAfter } from './month.ts'
import { MonthGrid, type DaysProps } from './MonthGrid.tsx'
import { WEEKDAY_NAMES } from '@trainyard/platform/contract/words/weekdays.ts'
import { DaySchedules } from './DaySchedules.tsx'
import { Button } from '@mantine/core'

interface CalendarProps {
  /** All schedules of the training in order of time, including each occurrence of weekly schedules. */
  schedules: readonly Schedule[]
  timeZone: string
  month: string | null
  turnTo: (month: string | null) => void
}

/** Schedules of a month: a table of days, or on narrow screens a list of the days with schedules. */
export default function Calendar({ schedules, timeZone, month, turnTo }: CalendarProps) {
  const heading = useId()
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  const day = today(useNow(), timeZone)
  const currentMonth = day.slice(0, 7)
  const shown = month ?? currentMonth
  const ofMonth = schedules.filter(({ date }) => date.startsWith(shown))
  const byDay = Map.groupBy(ofMonth, ({ date }) => date)
  const next = schedules.find(({ status, date }) => status === 'Pending' && isMonth(date.slice(0, 7)))
  const turn = (to: string) => turnTo(to === currentMonth ? null : to)
  return (
    <div className="stack">
      <div className={`ends ${styles.head}`}>
        <h3 id={heading} aria-live="polite">
          {formatMonth(shown)}
        </h3>
        <MonthTurn shown={shown} currentMonth={currentMonth} turn={turn} />
      </div>
      {ofMonth.length === 0 && (
        <output className={styles.hint}>
          Nothing is scheduled in {formatMonth(shown)}.{' '}
          {next && (
            <TextButton onClick={() => turn(next.date.slice(0, 7))}>Go to the next, {formatDate(next.date)}</TextButton>
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

const weekdayOf = (date: string) => WEEKDAY_NAMES[(new Date(date).getUTCDay() + 6) % 7]

const DayList = ({ byDay, today, label }: DaysProps) =>
  byDay.size > 0 && (
    <ol className={`panel ${styles.list}`} aria-labelledby={label}>
      {[...byDay].map(([date, runs]) => (
        <li key={date} aria-current={date === today ? 'date' : undefined}>
          <h4>
            <time dateTime={date}>
              {weekdayOf(date)}, {formatDay(date)}
              {date === today && <span className={styles.today}>today</span>}
            </time>
          </h4>
          <DaySchedules schedules={runs} />
        </li>
      ))}
    </ol>
  )

interface MonthTurnProps {
  shown: string
  currentMonth: string
  turn: (month: string) => void
}

const MonthTurn = ({ shown, currentMonth, turn }: MonthTurnProps) => {
  const [before, after] = [monthAfter(shown, -1), monthAfter(shown, 1)]
  return (
    <Button.Group>
      <Button variant="default" px="sm" disabled={!isMonth(before)} onClick={() => turn(before)}>
        Previous month
      </Button>
      <Button variant="default" px="sm" disabled={shown === currentMonth} onClick={() => turn(currentMonth)}>
        Today
      </Button>
      <Button variant="default" px="sm" disabled={!isMonth(after)} onClick={() => turn(after)}>
        Next month
      </Button>
    </Button.Group>
  )
}
