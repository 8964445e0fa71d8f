import { SCHEDULE_GRACE_MINUTES } from '@trainyard/platform/contract/words/limits.ts'
import type { Schedule } from './schedules.ts'
import styles from './ScheduleTable.module.css'

export function resultText(result: Schedule['result']): string | null {
  if (result === null) return null
  if (result === 'missed') return `Missed: the portal could not act within ${SCHEDULE_GRACE_MINUTES} minutes.`
  const { acted, skipped, failed } = result
  if (acted + skipped + failed === 0) return 'No machines to act on'
  return `${acted} acted on, ${skipped} skipped, ${failed} failed`
}

export function Result({ result }: { result: Schedule['result'] }) {
  if (result === null) return null
  const bad = result === 'missed' || result.failed > 0
  return (
    <div className={styles.result}>
      <span className={bad ? styles.bad : undefined}>{resultText(result)}</span>
      {result !== 'missed' && result.reasons.length > 0 && (
        <ul>
          {result.reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      )}
    </div>
  )
}
