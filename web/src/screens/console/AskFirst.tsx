import type { Machine } from '@trainyard/contract/calls/machine.ts'
import type { Command } from '#src/machine/commands.ts'
import type { TrainingQuery } from '#src/navigation/selection.ts'
import StartMachines from '#src/training/StartMachines.tsx'
import { ConfirmDialog } from '#src/ui/ConfirmDialog.tsx'

interface AskFirstProps {
  training: TrainingQuery
  command: Command
  machines: readonly Machine[]
  confirm: () => void
  close: () => void
}

/** Asks before a command that starts planned machines, or restarts several. */
export default function AskFirst({ training, command, machines, confirm, close }: AskFirstProps) {
  if (command === 'on') {
    const names = new Set(machines.map(({ name }) => name))
    return (
      <StartMachines training={training} title="Power On" names={names} busy={false} start={confirm} close={close} />
    )
  }
  return (
    <ConfirmDialog title="Restart" confirm={`Restart ${machines.length} machines`} onConfirm={confirm} close={close}>
      {machines.length} machines restart. Open terminals and desktops end, and work that is not saved is lost.
    </ConfirmDialog>
  )
}
