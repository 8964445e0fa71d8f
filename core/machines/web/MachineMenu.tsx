import { memo } from 'react'
import type { Machine } from '../contract/machine.ts'
import { Icon } from '@trainyard/platform/web/ui/Icon.tsx'
import { PopoverMenu } from '@trainyard/platform/web/ui/PopoverMenu.tsx'
import styles from './MachineMenu.module.css'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { actionsOf } from './machine-actions.ts'
import { MachineMenuItem } from './MachineMenuItem.tsx'

interface MachineMenuProps {
  machine: Machine
  /** Tab index of the button: -1 in a table, where the Tab key reaches only one row. */
  tabIndex?: number
  /** True on the Class screen, where a user acts as an instructor. */
  ofClass?: boolean
}

export const MachineMenu = memo(function MachineMenu({ machine, tabIndex, ofClass = false }: MachineMenuProps) {
  const { role } = useMe()
  return (
    <PopoverMenu
      label={`More actions for ${machine.name}`}
      title="More actions"
      className={`icon-button ${styles.button} no-print`}
      tabIndex={tabIndex}
      button={<Icon name="more" size={17} />}
    >
      {(close) =>
        actionsOf(role, ofClass && role === 'user').map((action, index) => (
          <MachineMenuItem key={action.label} action={action} machine={machine} isFirst={index === 0} close={close} />
        ))
      }
    </PopoverMenu>
  )
})
