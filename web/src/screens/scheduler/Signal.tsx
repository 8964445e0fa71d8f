import type { ScheduleAction, ScheduleStatus } from '@trainyard/contract/words/schedule.ts'
import styles from './ScheduleTable.module.css'

/** Green for a start to come, red for a stop to come, grey for a past one; the shape says it too. */
export const toneOf = (action: ScheduleAction, status: ScheduleStatus): 'start' | 'stop' | 'done' =>
  status === 'Completed' ? 'done' : action === 'Start' ? 'start' : 'stop'

interface SignalProps {
  action: ScheduleAction
  status: ScheduleStatus
  children: string
}

/** A schedule's action in its signal's colour. */
export const Signal = ({ action, status, children }: SignalProps) => (
  <span className={styles.signal} data-tone={toneOf(action, status)} data-action={action}>
    <span className={styles.lamp} aria-hidden="true" />
    {children}
  </span>
)
