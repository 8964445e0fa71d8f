import type { Machine } from '@trainyard/contract/calls/machine.ts'
import type { TrainingQuery } from '#src/navigation/selection.ts'

export interface MachineDialogProps {
  machine: Machine
  of: TrainingQuery
  close: () => void
}
