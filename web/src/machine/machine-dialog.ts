import type { Machine } from '@trainyard/contract/calls/machine.ts'
import type { TrainingQuery } from '#src/navigation/selection.ts'

export interface MachineDialogProps {
  /** At least one; more than one from the bulk actions. */
  machines: readonly Machine[]
  of: TrainingQuery
  close: () => void
}

export const placesOf = (machines: readonly Machine[]) =>
  machines.map(({ name, resourceGroup }) => ({ name, resourceGroup }))

/** Names a single machine, or counts several. */
export const machinesText = (machines: readonly Machine[]): string =>
  machines.length === 1 ? machines[0]!.name : `${machines.length} machines`
