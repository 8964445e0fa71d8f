import type { Schedule } from '../schedules.ts'
import { Signal } from '../Signal.tsx'
import styles from './Calendar.module.css'

export const DaySchedules = ({ schedules }: { schedules: readonly Schedule[] }) =>
  schedules.length > 0 && (
    <ul className={styles.runs}>
      {schedules.map((schedule) => {
        const word = outcomeOf(schedule)
        return (
          <li key={schedule._id}>
            <Signal {...schedule}>{`${schedule.time} ${schedule.action}`}</Signal>
            {word !== null && <span className={styles.fate}>{word}</span>}
          </li>
        )
      })}
    </ul>
  )

function outcomeOf({ status, result, repeats }: Schedule): string | null {
  if (result === 'missed') return 'missed'
  if (status === 'Completed') return result !== null && result.failed > 0 ? `${result.failed} failed` : 'done'
  return repeats === null ? null : 'weekly'
}
