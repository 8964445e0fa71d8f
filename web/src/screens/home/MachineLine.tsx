import type { Machine } from '@trainyard/contract/calls/machine.ts'
import { Bar } from '#src/ui/Bar.tsx'
import { hoursAllotted, hoursLeft, hoursUsed } from '#src/ui/hours.ts'
import { Reason } from '#src/ui/Reason.tsx'
import { StatusBadge } from '#src/ui/StatusBadge.tsx'
import type { Command } from '#src/machine/commands.ts'
import { PowerButton } from '#src/machine/PowerButton.tsx'
import { WebAccessButton } from '#src/machine/WebAccessButton.tsx'
import styles from './Lines.module.css'
import { Fills } from '#src/shell/Fills.tsx'
import { plannedTime } from './slots.ts'

interface MachineLineProps {
  machine: Machine
  act: (command: Command) => void
}

export function MachineLine({ machine, act }: MachineLineProps) {
  const { name, os, guacamole } = machine
  return (
    <li className={styles.machine}>
      <span className={styles.what}>
        <strong className="mono">{name}</strong>
        <span className="dim">{os}</span>
      </span>
      <StatusBadge status={machine.status} />
      <HoursLeft machine={machine} />
      <span className={styles.commands}>
        {guacamole && <WebAccessButton machine={machine} />}
        <PowerButton machine={machine} act={act} />
      </span>
      {machine.readyAt !== null ? (
        <Fills of={plannedTime} props={{ machine, readyAt: machine.readyAt }} />
      ) : (
        machine.statusReason && <Reason text={machine.statusReason} calm={machine.capturing} />
      )}
    </li>
  )
}

export const HoursLeft = ({ machine: { name, quota } }: { machine: Machine }) =>
  quota.total === null ? (
    <span className="dim">{hoursUsed(quota.consumed)} h used, no limit</span>
  ) : (
    <Bar
      label={`Hours used by ${name}`}
      value={quota.consumed}
      total={quota.total}
      text={`${hoursLeft(quota)} left of ${hoursAllotted(quota.total)}`}
    />
  )
