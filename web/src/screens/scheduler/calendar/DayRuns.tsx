import type { Schedule } from '../schedules.ts'
import { Signal } from '../Signal.tsx'
import styles from './Calendar.module.css'

/** A day's starts and stops, with what became of those that are over. */
export const DayRuns = ({ runs }: { runs: readonly Schedule[] }) =>
  runs.length > 0 && (
    <ul className={styles.runs}>
      {runs.map((run) => {
        const word = fateOf(run)
        return (
          <li key={run._id}>
            <Signal {...run}>{`${run.time} ${run.action}`}</Signal>
            {word !== null && <span className={styles.fate}>{word}</span>}
          </li>
        )
      })}
    </ul>
  )

/** Returns a word on a schedule that is over, or that belongs to a weekly one; null for all others. */
function fateOf({ status, result, repeats }: Schedule): string | null {
  if (result === 'missed') return 'missed'
  if (status === 'Completed') return result !== null && result.failed > 0 ? `${result.failed} failed` : 'done'
  return repeats === null ? null : 'weekly'
}
