import IconReload from '@tabler/icons-react/icons/IconReload'
import { Address } from '@trainyard/platform/web/ui/Address.tsx'
import { use } from 'react'
import type { Machine } from '../contract/machine.ts'
import { can } from '../contract/machine-words.ts'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { hoursAllotted, hoursUsed } from '@trainyard/platform/web/ui/hours.ts'
import { ReasonButton } from '@trainyard/platform/web/ui/ReasonButton.tsx'
import { SidePanel } from '@trainyard/platform/web/ui/SidePanel.tsx'
import { Access } from './Access.tsx'
import type { Command } from './commands.ts'
import { bulkActionsOf, REPLACE } from './machine-actions.ts'
import { imageText, learnerOf } from './machine-list.ts'
import { OpenDialog } from './MachineDialogs.tsx'
import { MachineProgress } from './MachineProgress.tsx'
import styles from './MachineDetails.module.css'
import { PowerButton } from './PowerButton.tsx'
import { StatusBadge } from './StatusBadge.tsx'
import { Operations } from './Timeline.tsx'
import { WebAccessButton } from './WebAccessButton.tsx'

interface MachineDetailsProps {
  machine: Machine
  training: TrainingQuery
  showLearner: boolean
  act: (command: Command, on: readonly Machine[]) => void
  close: () => void
}

/** Everything of one machine beside the table: first why it is not running and what to do, then access and timeline. */
export default function MachineDetails({ machine, training, showLearner, act, close }: MachineDetailsProps) {
  const { name, email, status, statusReason, quota } = machine
  const open = use(OpenDialog)
  const { role } = useMe()
  const failing = status === 'Failing'
  const power = <PowerButton machine={machine} act={(command) => act(command, [machine])} />
  return (
    <SidePanel title={showLearner ? learnerOf(machine) : name} badge={<StatusBadge status={status} />} close={close}>
      {statusReason !== null && (
        <div className={styles.why} data-warns={failing || undefined}>
          <p>{statusReason}</p>
          {failing && power}
          {failing && role !== 'user' && (
            <ReasonButton
              variant="default"
              size="xs"
              may={REPLACE.may(machine)}
              onClick={() => open(REPLACE.dialog, [machine])}
            >
              {REPLACE.label}
            </ReasonButton>
          )}
        </div>
      )}
      <MachineProgress machine={machine} />
      <dl className={styles.facts}>
        {showLearner && (
          <>
            <dt>E-mail</dt>
            <dd>
              <Address>{email}</Address>
            </dd>
            <dt>Instance</dt>
            <dd className="mono">{name}</dd>
          </>
        )}
        <dt>Image</dt>
        <dd>{imageText(machine.os)}</dd>
        <dt>Hours used</dt>
        <dd>
          {quota.total === null
            ? hoursUsed(quota.consumed)
            : `${hoursUsed(quota.consumed)} of ${hoursAllotted(quota.total)}`}{' '}
          h
        </dd>
      </dl>
      <Access machine={machine} />
      <div className={styles.actions}>
        <WebAccessButton machine={machine} />
        {!failing && power}
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
        {bulkActionsOf(role).map(({ label, may, dialog }) => (
          <ReasonButton
            key={label}
            variant="default"
            size="xs"
            may={may(machine)}
            aria-label={`${label} ${name}`}
            onClick={() => open(dialog, [machine])}
          >
            {label}
          </ReasonButton>
        ))}
      </div>
      <section className="stack" aria-labelledby="timeline">
        <h3 id="timeline">Timeline</h3>
        <Operations machine={machine} training={training} />
      </section>
    </SidePanel>
  )
}
