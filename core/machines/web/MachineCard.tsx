import IconReload from '@tabler/icons-react/icons/IconReload'
import { Address } from '@trainyard/platform/web/ui/Address.tsx'
import { memo, useId } from 'react'
import type { Machine } from '../contract/machine.ts'
import { StatusBadge } from './StatusBadge.tsx'
import type { Command } from './commands.ts'
import styles from './MachineCard.module.css'
import { can } from '../contract/machine-words.ts'
import { Bar } from '@trainyard/platform/web/ui/Bar.tsx'
import { hoursAllotted, hoursUsed } from '@trainyard/platform/web/ui/hours.ts'
import { Reason } from '@trainyard/platform/web/ui/Reason.tsx'
import { ReasonButton } from '@trainyard/platform/web/ui/ReasonButton.tsx'
import { Access } from './Access.tsx'
import { imageText, learnerText } from './machine-list.ts'
import { MachineMenu } from './MachineMenu.tsx'
import { MachineProgress } from './MachineProgress.tsx'
import { PowerButton } from './PowerButton.tsx'
import { WebAccessButton } from './WebAccessButton.tsx'

interface MachineCardProps {
  machine: Machine
  isSelected: boolean
  showLearner: boolean
  /** Position from 1, for screen readers, since only visible rows are rendered. */
  place: number
  setSize: number
  toggle: (id: string) => void
  act: (command: Command, on: readonly Machine[]) => void
}

export const MachineCard = memo(function MachineCard(props: MachineCardProps) {
  const { machine, isSelected, showLearner, place, setSize, toggle, act } = props
  const id = useId()
  return (
    <div
      className={`panel ${styles.card}`}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a row is between the item and the list
      role="listitem"
      aria-labelledby={`${id}name`}
      aria-posinset={place}
      aria-setsize={setSize}
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
        <MachineMenu machine={machine} />
      </div>
      <MachineBody machine={machine} showLearner={showLearner} act={act} />
    </div>
  )
})

interface MachineBodyProps {
  machine: Machine
  showLearner: boolean
  act: (command: Command, on: readonly Machine[]) => void
}

/** The body is a separate component, so that a change of the selection does not render it. */
const MachineBody = memo(function MachineBody({ machine, showLearner, act }: MachineBodyProps) {
  const { name, quota } = machine
  return (
    <>
      {machine.statusReason && (
        <Reason text={machine.statusReason} calm={machine.capturing || machine.status === 'Planned'} />
      )}
      <p className={styles.about}>
        {imageText(machine.os)}
        {showLearner && <Address>{learnerText(machine)}</Address>}
        <MachineProgress machine={machine} />
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
        <PowerButton machine={machine} act={(command) => act(command, [machine])} />
        <ReasonButton
          variant="default"
          size="xs"
          leftSection={<IconReload size={15} aria-hidden />}
          may={can.restart(machine)}
          aria-label={`Restart ${name}`}
          onClick={() => act('restart', [machine])}
        >
          Restart
        </ReasonButton>
        <WebAccessButton machine={machine} />
      </div>
    </>
  )
})

const quotaText = (consumed: number, total: number) =>
  `${hoursUsed(consumed)} of ${hoursAllotted(total)} h, ${((consumed / total) * 100).toFixed(2)}%`
