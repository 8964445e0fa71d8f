import { memo, useId } from 'react'
import type { Machine } from '@trainyard/contract/calls/machine.ts'
import { StatusBadge } from '#src/ui/StatusBadge.tsx'
import type { Command } from './commands.ts'
import { MachineBody } from './MachineBody.tsx'
import styles from './MachineCard.module.css'

interface MachineCardProps {
  machine: Machine
  isSelected: boolean
  /** Shows the learner's e-mail: admins see more than their own machines. */
  showLearner: boolean
  /** Its place among all, from 1, for screen readers: only the rows in sight are drawn. */
  place: number
  of: number
  toggle: (id: string) => void
  act: (command: Command, on: readonly Machine[]) => void
}

/** A live machine: its name, state and selection, and the rest below. */
export const MachineCard = memo(function MachineCard(props: MachineCardProps) {
  const { machine, isSelected, showLearner, place, of, toggle, act } = props
  const id = useId()
  return (
    <div
      className={`panel ${styles.card}`}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- its row stands between it and the list
      role="listitem"
      aria-labelledby={`${id}name`}
      aria-posinset={place}
      aria-setsize={of}
      data-selected={isSelected || undefined}
    >
      <div className={styles.head}>
        <input
          id={`${id}pick`}
          type="checkbox"
          className={styles.check}
          checked={isSelected}
          aria-label={`Select ${machine.name}`}
          onChange={() => toggle(machine._id)}
        />
        <h3 id={`${id}name`} className={styles.name} title={machine.name}>
          <label htmlFor={`${id}pick`}>{machine.name}</label>
        </h3>
        <StatusBadge status={machine.status} />
      </div>
      <MachineBody machine={machine} showLearner={showLearner} act={act} />
    </div>
  )
})
