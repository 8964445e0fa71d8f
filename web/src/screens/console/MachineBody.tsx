import { memo } from 'react'
import type { Machine } from '@trainyard/contract/calls/machine.ts'
import { can } from '@trainyard/contract/words/machine.ts'
import { Bar } from '#src/ui/Bar.tsx'
import { hoursAllotted, hoursUsed } from '#src/ui/hours.ts'
import { Icon } from '#src/ui/Icon.tsx'
import { Reason } from '#src/ui/Reason.tsx'
import { ReasonButton } from '#src/ui/ReasonButton.tsx'
import { Access } from './Access.tsx'
import type { Command } from './commands.ts'
import styles from './MachineCard.module.css'
import { PowerButton } from './PowerButton.tsx'
import { WebAccessButton } from './WebAccessButton.tsx'

interface MachineBodyProps {
  machine: Machine
  showLearner: boolean
  act: (command: Command, on: readonly Machine[]) => void
}

/** A machine's data, its access and its commands. A change of the selection does not render this part again. */
export const MachineBody = memo(function MachineBody({ machine, showLearner, act }: MachineBodyProps) {
  const { name, quota } = machine
  return (
    <>
      {machine.statusReason && <Reason text={machine.statusReason} calm={machine.capturing} />}
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
        <PowerButton machine={machine} act={(command) => act(command, [machine])} />
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
        <WebAccessButton machine={machine} />
      </div>
    </>
  )
})

const quotaText = (consumed: number, total: number) =>
  `${hoursUsed(consumed)} of ${hoursAllotted(total)} h, ${((consumed / total) * 100).toFixed(2)}%`
