import { useNavigate } from '@tanstack/react-router'
import { use } from 'react'
import type { Machine } from '../contract/machine.ts'
import { choiceOf } from '@trainyard/platform/web/navigation/useSelection.ts'
import { MenuItem } from '@trainyard/platform/web/ui/PopoverMenu.tsx'
import type { MachineAction } from './machine-actions.ts'
import { OpenDialog } from './MachineDialogs.tsx'

interface MachineMenuItemProps {
  action: MachineAction
  machine: Machine
  isFirst: boolean
  close: () => void
}

export function MachineMenuItem({ action, machine, isFirst, close }: MachineMenuItemProps) {
  const open = use(OpenDialog)
  const navigate = useNavigate()
  const act = () => {
    close()
    if ('run' in action) action.run(machine)
    else if ('dialog' in action) open(action.dialog, [machine])
    else
      void navigate({
        to: action.to,
        search: (now: object) => ({ ...choiceOf(now), ...action.search(machine) }) as never,
      })
  }
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
