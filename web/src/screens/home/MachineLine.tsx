import type { Machine } from '@trainyard/contract/calls/machine.ts'
import { hoursOfMinutes } from '@trainyard/contract/words/duration.ts'
import { Bar } from '#src/ui/Bar.tsx'
import { StatusBadge } from '#src/ui/StatusBadge.tsx'
import styles from './Home.module.css'

/** One machine: its name, its state, and how much of its hours is used. */
export function MachineLine({ machine }: { machine: Machine }) {
  const { consumed, total } = machine.quota
  const used = `${hoursOfMinutes(consumed)} h`
  return (
    <li className={styles.machine}>
      <span>
        <strong className="mono">{machine.name}</strong> <span className="dim">{machine.os}</span>
      </span>
      <StatusBadge status={machine.status} reason={machine.statusReason} />
      {total === null ? (
        <span className="dim">{used} used, no limit</span>
      ) : (
        <Bar
          label={`Hours of ${machine.name}`}
          value={consumed}
          total={total}
          text={`${used} of ${hoursOfMinutes(total)} h`}
        />
      )}
    </li>
  )
}
