import { memo } from 'react'
import type { Machine } from '../../contract/machine.ts'
import { can } from '../../contract/machine-words.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { provided } from '@trainyard/platform/web/shell/modules.ts'
import { copyText } from '@trainyard/platform/web/ui/copy.ts'
import { hoursLeft } from '@trainyard/platform/web/ui/hours.ts'
import { Reason } from '@trainyard/platform/web/ui/Reason.tsx'
import { StatusBadge } from '../StatusBadge.tsx'
import type { Command } from '../commands.ts'
import { MachineMenu } from '../MachineMenu.tsx'
import { learnerOf, learnerText } from '../machine-list.ts'
import { MachineProgress } from '../MachineProgress.tsx'
import { openInTab } from '../open-in-browser.ts'
import { powerActionOf } from '../power-action.ts'
import { webAccess } from '../slots.ts'
import styles from './MachineTable.module.css'
import { RowButton } from './RowButton.tsx'

interface MachineRowProps {
  machine: Machine
  isSelected: boolean
  showLearner: boolean
  showsText: boolean
  index: number
  top: number
  /** The Tab key reaches only the controls of the active row. */
  isActive: boolean
  measure: (element: HTMLElement | null) => void
  toggle: (id: string, extend: boolean) => void
  act: (command: Command, on: readonly Machine[]) => void
}

export const MachineRow = memo(function MachineRow(props: MachineRowProps) {
  const { machine, isSelected, showLearner, showsText, index, top, isActive, measure, toggle, act } = props
  const { name, publicIp, statusReason } = machine
  const tabIndex = isActive ? 0 : -1
  const power = powerActionOf(machine)
  const access = provided(webAccess)
  // Without a learner column, the machine's name is the row header.
  const Name = showLearner ? 'td' : 'th'
  return (
    <tr
      ref={statusReason === null ? undefined : measure}
      className={styles.row}
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      data-index={index}
      data-id={machine._id}
      data-explained={statusReason !== null || undefined}
      style={{ top }}
    >
      <td className={styles.check}>
        <input
          type="checkbox"
          tabIndex={tabIndex}
          aria-label={`Select ${name}`}
          data-control=""
          checked={isSelected}
          onChange={({ nativeEvent }) => toggle(machine._id, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
        />
      </td>
      {showLearner && (
        <th scope="row" className={styles.learner} title={learnerText(machine)}>
          {learnerOf(machine)}
        </th>
      )}
      <Name {...(!showLearner && { scope: 'row' })} className={`mono ${styles.name}`}>
        {name}
      </Name>
      <td className={styles.state}>
        <StatusBadge status={machine.status} />
        <MachineProgress machine={machine} brief />
      </td>
      <td className={styles.hours} data-level={levelOf(machine)}>
        {hoursLeft(machine.quota)}
      </td>
      <td className={`mono ${styles.address}`}>
        {publicIp === null ? (
          '–'
        ) : (
          <button
            type="button"
            tabIndex={tabIndex}
            data-control=""
            aria-label={`${publicIp}: copy the address of ${name}`}
            title="Copy"
            onClick={() => copyText(publicIp, 'The address')}
          >
            {publicIp}
          </button>
        )}
      </td>
      <td className={`${styles.actions} no-print`}>
        <RowButton
          icon="power"
          word={power.label}
          showsText={showsText}
          label={`${power.label} ${name}`}
          may={power.may}
          tabIndex={tabIndex}
          onClick={() => act(power.command, [machine])}
        />
        <RowButton
          icon="restart"
          word="Restart"
          showsText={showsText}
          label={`Restart ${name}`}
          may={can.restart(machine)}
          tabIndex={tabIndex}
          onClick={() => act('restart', [machine])}
        />
        {access !== null && (
          <RowButton
            icon="external"
            word="Web-based access"
            showsText={showsText}
            label={`Web-based access to ${name}`}
            may={can.openInBrowser(machine)}
            tabIndex={tabIndex}
            onClick={() => void openInTab(() => access.open(api, name))}
          />
        )}
        <MachineMenu machine={machine} tabIndex={tabIndex} />
      </td>
      {statusReason !== null && (
        <td className={styles.reason}>
          <Reason text={statusReason} calm={machine.capturing || machine.status === 'Planned'} />
        </td>
      )}
    </tr>
  )
})

function levelOf({ quota: { consumed, total } }: Machine): 'near' | 'full' | undefined {
  if (total === null || consumed < total * 0.9) return undefined
  return consumed >= total ? 'full' : 'near'
}
