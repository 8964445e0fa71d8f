import type { Machine } from '@trainyard/contract/calls/machine.ts'
import { hoursOfMinutes } from '@trainyard/contract/words/duration.ts'
import { can } from '@trainyard/contract/words/machine.ts'
import { Bar } from '#src/ui/Bar.tsx'
import { Icon } from '#src/ui/Icon.tsx'
import { Reason } from '#src/ui/Reason.tsx'
import { ReasonButton } from '#src/ui/ReasonButton.tsx'
import { StatusBadge } from '#src/ui/StatusBadge.tsx'
import type { Command } from '../console/commands.ts'
import { openInBrowser } from '../console/open-in-browser.ts'
import styles from './Home.module.css'

interface MachineLineProps {
  machine: Machine
  act: (command: Command) => void
}

/** One machine: its name, its state, the hours left, power, and the way into it. */
export function MachineLine({ machine, act }: MachineLineProps) {
  const { name, os, guacamole, quota } = machine
  const off = machine.isRunning || machine.status === 'Starting' || machine.status === 'Restarting'
  return (
    <li className={styles.machine}>
      <span className={styles.what}>
        <strong className="mono">{name}</strong>
        <span className="dim">{os}</span>
      </span>
      <StatusBadge status={machine.status} />
      {quota.total === null ? (
        <span className="dim">{hoursOfMinutes(quota.consumed)} h used, no limit</span>
      ) : (
        <Bar
          label={`Hours used by ${name}`}
          value={quota.consumed}
          total={quota.total}
          text={`${hoursOfMinutes(Math.max(0, quota.total - quota.consumed))} h left of ${hoursOfMinutes(quota.total)}`}
        />
      )}
      <span className={styles.commands}>
        {guacamole && (
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
        )}
        <ReasonButton
          variant="default"
          size="xs"
          leftSection={<Icon name="power" size={15} />}
          may={off ? can.powerOff(machine) : can.powerOn(machine)}
          aria-label={`${off ? 'Power Off' : 'Power On'} ${name}`}
          onClick={() => act(off ? 'off' : 'on')}
        >
          {off ? 'Power Off' : 'Power On'}
        </ReasonButton>
      </span>
      {machine.statusReason && <Reason text={machine.statusReason} calm={machine.capturing} />}
    </li>
  )
}
