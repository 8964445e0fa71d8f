import { WEEKDAY_NAMES } from '@trainyard/contract/words/recurrence.ts'
import { formatDay } from '#src/ui/time.ts'
import styles from './Calendar.module.css'
import { DayRuns } from './DayRuns.tsx'
import type { DaysProps } from './MonthGrid.tsx'

const weekdayOf = (date: string) => WEEKDAY_NAMES[(new Date(date).getUTCDay() + 6) % 7]

export const DayList = ({ byDay, today, label }: DaysProps) =>
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
          <DayRuns runs={runs} />
        </li>
      ))}
    </ol>
  )
