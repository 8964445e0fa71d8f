import IconDots from '@tabler/icons-react/icons/IconDots'
import { memo } from 'react'
import type { Machine } from '../contract/machine.ts'
import { can } from '../contract/machine-words.ts'
import { MenuItem, PopoverMenu } from '@trainyard/platform/web/ui/PopoverMenu.tsx'
import styles from './MachineMenu.module.css'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import type { Command } from './commands.ts'
import { actionsOf } from './machine-actions.ts'
import { MachineMenuItem } from './MachineMenuItem.tsx'
import { powerActionOf } from './power-action.ts'

interface MachineMenuProps {
  machine: Machine
  /** Tab index of the button: -1 in a table, where the Tab key reaches only one row. */
  tabIndex?: number
  /** True on the Class screen, where a user acts as an instructor. */
  ofClass?: boolean
  /** In a table, where power and details are in the menu instead of buttons. */
  act?: (command: Command, on: readonly Machine[]) => void
  details?: () => void
}

export const MachineMenu = memo(function MachineMenu({
  machine,
  tabIndex,
  ofClass = false,
  act,
  details,
}: MachineMenuProps) {
  const { role } = useMe()
  return (
    <PopoverMenu
      label={`More actions for ${machine.name}`}
      title="More actions"
      className={`icon-button ${styles.button} no-print`}
      tabIndex={tabIndex}
      button={<IconDots size={17} aria-hidden />}
    >
      {(close) => (
        <>
          {act && details && <RowItems machine={machine} act={act} details={details} close={close} />}
          {actionsOf(role, ofClass && role === 'user')
            // A seat of a class has a button for it.
            .filter((action) => !(ofClass && 'opens' in action))
            .map((action, index) => (
              <MachineMenuItem
                key={action.label}
                action={action}
                machine={machine}
                isFirst={index === 0 && act === undefined}
                close={close}
              />
            ))}
        </>
      )}
    </PopoverMenu>
  )
})

interface RowItemsProps extends Required<Pick<MachineMenuProps, 'machine' | 'act' | 'details'>> {
  close: () => void
}

function RowItems({ machine, act, details, close }: RowItemsProps) {
  const power = powerActionOf(machine)
  const items = [
    { label: 'Details', may: true as const, run: details },
    { label: power.label, may: power.may, run: () => act(power.command, [machine]) },
    { label: 'Restart', may: can.restart(machine), run: () => act('restart', [machine]) },
  ]
  return items.map(({ label, may, run }, index) => (
    <MenuItem
      key={label}
      label={label}
      may={may}
      isFirst={index === 0}
      onClick={() => {
        close()
        run()
      }}
    />
  ))
}
