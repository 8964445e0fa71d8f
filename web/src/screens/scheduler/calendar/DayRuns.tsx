import type { Schedule } from '../schedules.ts'
import { Signal } from '../Signal.tsx'
import styles from './Calendar.module.css'

export const DayRuns = ({ runs }: { runs: readonly Schedule[] }) =>
  runs.length > 0 && (
    <ul className={styles.runs}>
      {runs.map((run) => {
        const word = outcomeOf(run)
        return (
          <li key={run._id}>
            <Signal {...run}>{`${run.time} ${run.action}`}</Signal>
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
