import { memo } from 'react'
import type { Machine } from '@trainyard/contract/calls/machine.ts'
import { hoursOfMinutes } from '@trainyard/contract/words/duration.ts'
import { can } from '@trainyard/contract/words/machine.ts'
import { Bar } from '#src/ui/Bar.tsx'
import { Icon } from '#src/ui/Icon.tsx'
import { Reason } from '#src/ui/Reason.tsx'
import { ReasonButton } from '#src/ui/ReasonButton.tsx'
import { Access } from './Access.tsx'
import type { Command } from './commands.ts'
import { openInBrowser } from './open-in-browser.ts'
import styles from './MachineCard.module.css'

interface MachineBodyProps {
  machine: Machine
  showLearner: boolean
  act: (command: Command, on: readonly Machine[]) => void
}

/** What a machine is, how to get in, and what may be done with it now. Selecting all leaves this part alone. */
export const MachineBody = memo(function MachineBody({ machine, showLearner, act }: MachineBodyProps) {
  const { name, quota } = machine
  // The one of the two that can lead somewhere; while neither can, the one that undoes what is under way.
  const off = can.powerOff(machine) === true || machine.status === 'Starting' || machine.status === 'Restarting'
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
        <ReasonButton
          variant="default"
          size="xs"
          leftSection={<Icon name="external" size={15} />}
          may={can.openInBrowser(machine)}
          aria-label={`Web-based access to ${name}`}
          onClick={() => void openInBrowser(name)}
        >
          Web-based access
        </ReasonButton>
      </div>
    </>
  )
})

const quotaText = (consumed: number, total: number) =>
  `${hoursOfMinutes(consumed)} of ${hoursOfMinutes(total)} h, ${((consumed / total) * 100).toFixed(2)}%`
