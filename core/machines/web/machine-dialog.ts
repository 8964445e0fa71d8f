import type { Machine } from '../contract/machine.ts'
import { refOf } from '../contract/machine-ref.ts'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'

export interface MachineDialogProps {
  /** Machines of the dialog: at least one, and several for bulk actions. */
  machines: readonly Machine[]
  training: TrainingQuery
  close: () => void
}

export const placesOf = (machines: readonly Machine[]) => machines.map(refOf)

/** Returns the name of a single machine, or the number of several. */
export const machinesText = (machines: readonly Machine[]): string =>
  machines.length === 1 ? machines[0]!.name : `${machines.length} machines`
