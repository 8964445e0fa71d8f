import type { MachineStatus } from '@trainyard/contract/words/machine.ts'
import styles from './StatusBadge.module.css'

type Signal = 'clear' | 'still' | 'moving' | 'danger' | 'gone'

const signals: Record<MachineStatus, Signal> = {
  Creating: 'moving',
  Starting: 'moving',
  Running: 'clear',
  Restarting: 'moving',
  Stopping: 'moving',
  Stopped: 'still',
  Failing: 'danger',
  Deleting: 'moving',
  Terminated: 'gone',
}

/** A machine's state as a signal lamp: told by shape and word, the colour only helps. */
export function StatusBadge({ status }: { status: MachineStatus }) {
  return (
    <span className={styles.badge} data-signal={signals[status]}>
      <span className={styles.lamp} aria-hidden="true" />
      {status}
    </span>
  )
}
