import type { Machine } from '../contract/machine.ts'
import type { Command } from './commands.ts'
import { startQuestion } from './slots.ts'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { Fills, useFills } from '@trainyard/platform/web/shell/Fills.tsx'
import { ConfirmDialog } from '@trainyard/platform/web/ui/ConfirmDialog.tsx'

interface AskFirstProps {
  training: TrainingQuery
  command: Command
  machines: readonly Machine[]
  confirm: () => void
  close: () => void
}

/** Asks before a command that starts planned machines, or restarts several. */
export default function AskFirst({ training, command, machines, confirm, close }: AskFirstProps) {
  const hasQuestion = useFills(startQuestion).length > 0
  if (command === 'on' && hasQuestion) {
    const names = new Set(machines.map(({ name }) => name))
    return (
      <Fills of={startQuestion} props={{ training, title: 'Power On', names, busy: false, start: confirm, close }} />
    )
  }
  if (command === 'on') {
    return (
      <ConfirmDialog title="Power On" confirm={`Start ${machines.length} machines`} onConfirm={confirm} close={close}>
        {machines.length} machines start now.
      </ConfirmDialog>
    )
  }
  return (
    <ConfirmDialog title="Restart" confirm={`Restart ${machines.length} machines`} onConfirm={confirm} close={close}>
      {machines.length} machines restart. Open terminals and desktops end, and work that is not saved is lost.
    </ConfirmDialog>
  )
}
