import type { MachineId, OrganisationId, TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import { notify } from '@trainyard/platform/server/db/notify.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import { notifyOfMachines, notifyOfTrainings } from './queries.ts'

/** Channel of changes that lists of machines show. */
export const MACHINE_CHANNEL = 'machine_changed'
/** Channel of connected or idle learners, raised hands, announcements and settings of a class. */
export const CLASS_CHANNEL = 'class_changed'

/** Makes open pages show changes of machines. */
export async function machinesChanged(tx: Tx, machines: readonly MachineId[]): Promise<void> {
  if (machines.length > 0) await notifyOfMachines(tx, MACHINE_CHANNEL, machines)
}

/** Makes open pages show changes of what learners do on machines. */
export async function activityChanged(tx: Tx, machines: readonly MachineId[]): Promise<void> {
  if (machines.length > 0) await notifyOfMachines(tx, CLASS_CHANNEL, machines)
}

/**
 * Makes open pages show a change that concerns all machines of an organisation, or of one of its trainings.
 * @param training null: all trainings
 */
export async function allMachinesChanged(
  tx: Tx,
  organisation: OrganisationId,
  training: TrainingId | null = null,
): Promise<void> {
  await notifyOfTrainings(tx, MACHINE_CHANNEL, organisation, training)
}

/** Makes open pages show a change of a class as a whole. */
export const classChanged = (tx: Tx, training: TrainingId): Promise<void> => notify(tx, CLASS_CHANNEL, [training])
