import type { Machine } from '@trainyard/machines/contract/machine.ts'
import { Bar } from '@trainyard/platform/web/ui/Bar.tsx'
import { hoursAllotted, hoursLeft, hoursUsed } from '@trainyard/platform/web/ui/hours.ts'
import { Reason } from '@trainyard/platform/web/ui/Reason.tsx'
import { StatusBadge } from '@trainyard/machines/web/StatusBadge.tsx'
import type { Command } from '@trainyard/machines/web/commands.ts'
import { imageText } from '@trainyard/machines/web/machine-list.ts'
import { PowerButton } from '@trainyard/machines/web/PowerButton.tsx'
import { WebAccessButton } from '@trainyard/machines/web/WebAccessButton.tsx'
import styles from './Lines.module.css'
import { Fills } from '@trainyard/platform/web/shell/Fills.tsx'
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
        <span className="dim">{imageText(os)}</span>
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
