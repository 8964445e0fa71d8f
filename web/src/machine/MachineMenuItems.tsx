import type { Machine } from '@trainyard/contract/calls/machine.ts'
import { useMe } from '#src/session/me.ts'
import { actionsOf } from './machine-actions.ts'
import { MachineMenuItem } from './MachineMenuItem.tsx'

interface MachineMenuItemsProps {
  machine: Machine
  close: () => void
}

export function MachineMenuItems({ machine, close }: MachineMenuItemsProps) {
  const { role } = useMe()
  return actionsOf(role).map((action, index) => (
    <MachineMenuItem key={action.label} action={action} machine={machine} isFirst={index === 0} close={close} />
  ))
}
