import type { Machine } from '@trainyard/contract/calls/machine.ts'
import type { OfTraining } from '#src/navigation/selection.ts'

/** The properties of a dialog that an action opens on a machine. */
export interface MachineDialogProps {
  machine: Machine
  of: OfTraining
  close: () => void
}
