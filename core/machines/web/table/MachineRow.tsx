import { memo } from 'react'
import type { Machine } from '../../contract/machine.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { provided } from '@trainyard/platform/web/shell/modules.ts'
import { copyText } from '@trainyard/platform/web/ui/copy.ts'
import { hoursLeft } from '@trainyard/platform/web/ui/hours.ts'
import { StatusBadge } from '../StatusBadge.tsx'
import type { Command } from '../commands.ts'
import { MachineMenu } from '../MachineMenu.tsx'
import { learnerOf, learnerText } from '../machine-list.ts'
import { MachineProgress } from '../MachineProgress.tsx'
import { openInTab } from '../open-in-browser.ts'
import { ROW_ACTIONS, type RowAction, rowActionOf } from '../power-action.ts'
import { webAccess } from '../slots.ts'
import styles from './MachineTable.module.css'
import { RowButton } from './RowButton.tsx'

interface MachineRowProps {
  machine: Machine
  isSelected: boolean
  showLearner: boolean
  index: number
  top: number
  /** The Tab key reaches only the controls of the active row. */
  isActive: boolean
  /** The details beside the table are those of this machine. */
  isOpened: boolean
  open: (id: string) => void
  toggle: (id: string, extend: boolean) => void
  act: (command: Command, on: readonly Machine[]) => void
}

export const MachineRow = memo(function MachineRow(props: MachineRowProps) {
  const { machine, isSelected, showLearner, index, top, isActive, isOpened, open, toggle, act } = props
  const { name, publicIp, statusReason } = machine
  const { consumed, total } = machine.quota
  const tabIndex = isActive ? 0 : -1
  const access = provided(webAccess)
  const action = rowActionOf(machine, access !== null)
  const details = () => open(machine._id)
  const run = {
    why: details,
    on: () => act('on', [machine]),
    open: () => void openInTab(() => access!.open(api, name)),
  }
  // Without a learner column, the machine's name is the row header.
  const Name = showLearner ? 'td' : 'th'
  return (
    <tr
      className={styles.row}
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      data-id={machine._id}
      data-opened={isOpened || undefined}
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
          <Opener name={learnerOf(machine)} tabIndex={tabIndex} isOpened={isOpened} open={details} />
        </th>
      )}
      <Name {...(!showLearner && { scope: 'row' })} className={`mono ${styles.name}`}>
        {showLearner ? name : <Opener name={name} tabIndex={tabIndex} isOpened={isOpened} open={details} />}
      </Name>
      <td className={styles.state} title={statusReason ?? undefined}>
        <StatusBadge status={machine.status} />
        <MachineProgress machine={machine} brief />
      </td>
      <td
        className={styles.hours}
        data-level={levelOf(machine)}
        style={total === null ? undefined : ({ '--share': Math.max(0, 1 - consumed / total) } as React.CSSProperties)}
      >
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
        {action !== null && (
          <RowButton
            {...ROW_ACTIONS[action]}
            label={LABELS[action](name)}
            warns={action === 'why'}
            tabIndex={tabIndex}
            onClick={run[action]}
          />
        )}
        <MachineMenu machine={machine} tabIndex={tabIndex} act={act} details={details} />
      </td>
    </tr>
  )
})

const LABELS: Readonly<Record<RowAction, (name: string) => string>> = {
  why: (name) => `Why is ${name} failing?`,
  open: (name) => `Web-based access to ${name}`,
  on: (name) => `Power On ${name}`,
}

interface OpenerProps {
  name: string
  tabIndex: number
  isOpened: boolean
  open: () => void
}

const Opener = ({ name, tabIndex, isOpened, open }: OpenerProps) => (
  <button
    type="button"
    className={styles.opener}
    tabIndex={tabIndex}
    aria-expanded={isOpened}
    data-control=""
    onClick={open}
  >
    {name}
  </button>
)

function levelOf({ quota: { consumed, total } }: Machine): 'near' | 'full' | undefined {
  if (total === null || consumed < total * 0.9) return undefined
  return consumed >= total ? 'full' : 'near'
}
