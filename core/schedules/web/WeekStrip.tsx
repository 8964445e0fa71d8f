import { dayjs } from '@trainyard/platform/web/ui/dayjs.ts'
import { formatDay, today } from '@trainyard/platform/web/ui/time.ts'
import { useNow } from '@trainyard/platform/web/ui/useNow.ts'
import { ACTION_LABELS, type Schedule } from './schedules.ts'
import { Signal } from './Signal.tsx'
import styles from './WeekStrip.module.css'

const DAYS = 7

/** Shows what is scheduled today and on the next six days, also by sessions and weekly schedules. */
export function WeekStrip({ schedules, timeZone }: { schedules: readonly Schedule[]; timeZone: string }) {
  const first = dayjs.utc(today(useNow(), timeZone))
  const days = Array.from({ length: DAYS }, (_, index) => first.add(index, 'day'))
  return (
    <ol className={`panel ${styles.week}`} aria-label="Next seven days">
      {days.map((day, index) => {
        const date = day.format('YYYY-MM-DD')
        const planned = schedules
          .filter((each) => each.date === date && each.status === 'Pending')
          .toSorted((a, b) => a.time.localeCompare(b.time))
        return (
          <li key={date} className={styles.day} data-empty={planned.length === 0 || undefined}>
            <span className={styles.name}>
              {day.format('ddd')} {formatDay(date)}
              {index === 0 && ', today'}
            </span>
            {planned.length === 0 ? (
              <span className={styles.none}>–</span>
            ) : (
              planned.map((each) => (
                <span key={each._id} className={styles.event}>
                  {each.time} <Signal {...each}>{ACTION_LABELS[each.action]}</Signal>
                </span>
              ))
            )}
          </li>
        )
      })}
    </ol>
  )
}
