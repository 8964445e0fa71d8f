import { useNavigate } from '@tanstack/react-router'
import { use } from 'react'
import type { Machine } from '../contract/machine.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { choiceOf } from '@trainyard/platform/web/navigation/useSelection.ts'
import { provided, connectedScreens } from '@trainyard/platform/web/shell/modules.ts'
import { MenuItem } from '@trainyard/platform/web/ui/PopoverMenu.tsx'
import type { MachineAction } from './machine-actions.ts'
import { OpenDialog } from './MachineDialogs.tsx'
import { openInTab } from './open-in-browser.ts'
import { webAccess } from './slots.ts'

interface MachineMenuItemProps {
  action: MachineAction
  machine: Machine
  isFirst: boolean
  close: () => void
}

/** Renders an action, or nothing if it leads to a module that is not in this product. */
export function MachineMenuItem({ action, machine, isFirst, close }: MachineMenuItemProps) {
  const access = provided(webAccess)
  const screens = connectedScreens()
  const open = use(OpenDialog)
  const navigate = useNavigate()
  const act = () => {
    close()
    if ('run' in action) action.run(machine)
    else if ('opens' in action) void openInTab(() => access![action.opens](api, machine.name))
    else if ('dialog' in action) open(action.dialog, [machine])
    else
      void navigate({
        to: action.to,
        search: (now: object) => ({ ...choiceOf(now), ...action.search(machine) }) as never,
      })
  }
  if ('opens' in action && access === null) return null
  if ('to' in action && !screens.some(({ path }) => path === action.to)) return null
  return (
    <MenuItem
      label={action.label}
      may={action.may?.(machine) ?? true}
      destroys={action.destroys}
      isFirst={isFirst}
      onClick={act}
    />
  )
}
