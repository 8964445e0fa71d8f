import { WEEKDAY_NAMES, WEEKDAYS } from '@trainyard/platform/contract/words/weekdays.ts'
import type { Schedule } from '../schedules.ts'
import styles from './Calendar.module.css'
import { DaySchedules } from './DaySchedules.tsx'
import { weeksOf } from './month.ts'

export interface DaysProps {
  byDay: ReadonlyMap<string, readonly Schedule[]>
  /** YYYY-MM-DD in the organisation's time zone. */
  today: string
  label: string
}

export const MonthGrid = ({ month, byDay, today, label }: DaysProps & { month: string }) => (
  <div className={`panel ${styles.box}`}>
    <table className={styles.grid} aria-labelledby={label}>
      <thead>
        <tr>
          {WEEKDAYS.map((day, place) => (
            <th key={day} scope="col" abbr={WEEKDAY_NAMES[place]}>
              {day}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeksOf(month).map((week) => (
          <tr key={week[0]}>
            {week.map((date) => {
              const isBeside = !date.startsWith(month)
              return (
                <td
                  key={date}
                  className={isBeside ? styles.beside : undefined}
                  aria-current={date === today && !isBeside ? 'date' : undefined}
                >
                  {!isBeside && <Day date={date} isToday={date === today} runs={byDay.get(date) ?? []} />}
                </td>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

const Day = ({ date, isToday, runs }: { date: string; isToday: boolean; runs: readonly Schedule[] }) => (
  <>
    <time dateTime={date} className={styles.number}>
      {Number(date.slice(8))}
      {isToday && <span className={styles.today}>today</span>}
    </time>
    <DaySchedules schedules={runs} />
  </>
)
