import type { Machine } from '@trainyard/machines/contract/machine.ts'
import { can } from '@trainyard/machines/contract/machine-words.ts'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { Reason } from '@trainyard/platform/web/ui/Reason.tsx'
import { StatusBadge } from '@trainyard/machines/web/StatusBadge.tsx'
import { Access } from '@trainyard/machines/web/Access.tsx'
import type { Command } from '@trainyard/machines/web/commands.ts'
import { imageText } from '@trainyard/machines/web/machine-list.ts'
import { MachineProgress } from '@trainyard/machines/web/MachineProgress.tsx'
import { PowerButton } from '@trainyard/machines/web/PowerButton.tsx'
import { WebAccessButton } from '@trainyard/machines/web/WebAccessButton.tsx'
import { HoursLeft } from './MachineLine.tsx'
import { Fills } from '@trainyard/platform/web/shell/Fills.tsx'
import { plannedTime } from './slots.ts'
import styles from './MachinePanel.module.css'
import { Times } from './Times.tsx'

interface MachinePanelProps {
  machine: Machine
  training: TrainingQuery
  /** Time of the used-hours figure. */
  asOf: Date
  act: (command: Command) => void
}

export function MachinePanel({ machine, training, asOf, act }: MachinePanelProps) {
  const { name, os, guacamole } = machine
  return (
    <li className={`panel ${styles.panel}`}>
      <div className={styles.main}>
        <div className={styles.head}>
          <h3 className="mono">{name}</h3>
          <StatusBadge status={machine.status} />
          <span className="dim">
            {imageText(os)} <MachineProgress machine={machine} />
          </span>
        </div>
        {machine.readyAt !== null ? (
          <Fills of={plannedTime} props={{ machine, readyAt: machine.readyAt }} />
        ) : (
          machine.statusReason && <Reason text={machine.statusReason} calm={machine.capturing} />
        )}
        <div className={`${styles.commands} no-print`}>
          {guacamole && <WebAccessButton machine={machine} label="Open in browser" size="lg" variant="filled" />}
          <PowerButton
            machine={machine}
            act={act}
            size="lg"
            variant={
              can.powerOn(machine) === true &&
              machine.status !== 'Planned' &&
              !(guacamole && can.openInBrowser(machine) === true)
                ? 'filled'
                : 'default'
            }
          />
        </div>
        <HoursLeft machine={machine} />
        <Times training={training} machine={machine} isPlanned={machine.status === 'Planned'} asOf={asOf} />
      </div>
      <Access machine={machine} />
    </li>
  )
}
