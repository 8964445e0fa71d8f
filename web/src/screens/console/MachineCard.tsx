import { memo, useId } from 'react'
import type { Machine } from '@trainyard/contract/calls/machine.ts'
import { hoursOfMinutes } from '@trainyard/contract/words/duration.ts'
import { can } from '@trainyard/contract/words/machine.ts'
import { Bar } from '#src/ui/Bar.tsx'
import { Icon } from '#src/ui/Icon.tsx'
import { ReasonButton } from '#src/ui/ReasonButton.tsx'
import { StatusBadge } from '#src/ui/StatusBadge.tsx'
import { Access } from './Access.tsx'
import type { Command } from './commands.ts'
import styles from './MachineCard.module.css'

interface MachineCardProps {
  machine: Machine
  isSelected: boolean
  /** Whether to say whose machine it is: admins see more than their own. */
  showLearner: boolean
  /** Its place among all, from 1, for those who can't see how many there are. */
  place: number
  of: number
  toggle: (id: string) => void
  act: (command: Command, on: readonly Machine[]) => void
}

/** A live machine: what it is, how it stands, how to get in, and what may be done with it now. */
export const MachineCard = memo(function MachineCard(props: MachineCardProps) {
  const { machine, isSelected, showLearner, place, of, toggle, act } = props
  const { name, quota } = machine
  const heading = useId()
  // The one of the two that can lead somewhere; while neither can, the one that undoes what is under way.
  const off = can.powerOff(machine) === true || machine.status === 'Starting' || machine.status === 'Restarting'
  return (
    <article
      className={styles.card}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- its row stands between it and the list
      role="listitem"
      aria-labelledby={heading}
      aria-posinset={place}
      aria-setsize={of}
      data-selected={isSelected || undefined}
    >
      <div className={styles.head}>
        <label className={styles.pick}>
          <input
            type="checkbox"
            className={styles.check}
            checked={isSelected}
            aria-label={`Select ${name}`}
            onChange={() => toggle(machine._id)}
          />
          <h3 id={heading} className={styles.name} title={name}>
            {name}
          </h3>
        </label>
        <StatusBadge status={machine.status} />
      </div>
      {machine.statusReason && <p className={styles.reason}>{machine.statusReason}</p>}
      <p className={styles.about}>
        {machine.os}
        {showLearner && <span title={machine.email}>{machine.email}</span>}
      </p>
      <Access machine={machine} />
      {quota.total !== null && (
        <Bar
          label={`Hours used by ${name}`}
          value={quota.consumed}
          total={quota.total}
          text={quotaText(quota.consumed, quota.total)}
        />
      )}
      <div className={`${styles.foot} no-print`}>
        <ReasonButton
          variant="default"
          size="xs"
          leftSection={<Icon name="power" size={15} />}
          may={off ? can.powerOff(machine) : can.powerOn(machine)}
          aria-label={`${off ? 'Power Off' : 'Power On'} ${name}`}
          onClick={() => act(off ? 'off' : 'on', [machine])}
        >
          {off ? 'Power Off' : 'Power On'}
        </ReasonButton>
        <ReasonButton
          variant="default"
          size="xs"
          leftSection={<Icon name="restart" size={15} />}
          may={can.restart(machine)}
          aria-label={`Restart ${name}`}
          onClick={() => act('restart', [machine])}
        >
          Restart
        </ReasonButton>
      </div>
    </article>
  )
})

const quotaText = (consumed: number, total: number) =>
  `${hoursOfMinutes(consumed)} of ${hoursOfMinutes(total)} h, ${((consumed / total) * 100).toFixed(2)}%`
