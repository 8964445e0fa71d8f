import type { ScheduleAction, ScheduleStatus } from '../contract/schedule-words.ts'
import styles from './ScheduleTable.module.css'

export const toneOf = (action: ScheduleAction, status: ScheduleStatus): 'start' | 'stop' | 'done' =>
  status === 'Completed' ? 'done' : action === 'Start' ? 'start' : 'stop'

interface SignalProps {
  action: ScheduleAction
  status: ScheduleStatus
  children: string
}

export const Signal = ({ action, status, children }: SignalProps) => (
  <span className={styles.signal} data-tone={toneOf(action, status)} data-action={action}>
    <span className={styles.lamp} aria-hidden="true" />
    {children}
  </span>
)
