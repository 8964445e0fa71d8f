import type { trainingEvents } from '../contract/training-event.ts'
import { sql } from 'kysely'
import type { OrganisationId, TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import { emit, event } from '@trainyard/platform/server/core/events.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import { publish } from '@trainyard/users/server/notices.ts'
import { endInstructors } from './instructor.ts'
import { setWindow } from './window.ts'

/** A training was removed. Its plans must not apply to machines that are later ordered under the same name. */
export const trainingsRemoved = event<TrainingId>('trainings.removed')

interface Place {
  readonly id: TrainingId
  readonly organisation: OrganisationId
}

const publishTraining = (
  tx: Tx,
  type: 'training.created' | 'training.removed' | 'training.restored',
  { id, organisation }: Place,
) => publish<typeof trainingEvents>(tx, [{ organisation, type, resource: `training:${id}`, training: id, data: {} }])

/** Returns undefined if the organisation has a training with the same or a similar name. */
export async function insertTraining(
  tx: Tx,
  organisation: OrganisationId,
  name: string,
): Promise<TrainingId | undefined> {
  const added = await tx
    .insertInto('training')
    .values({ organisation_id: organisation, name })
    .onConflict((on) => on.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (added !== undefined) await publishTraining(tx, 'training.created', { id: added.id, organisation })
  return added?.id
}

/** Marks a training as removed. Its machines are the caller's. */
export async function markRemoved(tx: Tx, training: Place): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('training')
    .set({ removed_at: sql<Date>`portal_now()` })
    .where('id', '=', training.id)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows > 0n) await publishTraining(tx, 'training.removed', training)
  await emit(tx, trainingsRemoved, [training.id])
  await tx.updateTable('training').set({ ends_on: null }).where('id', '=', training.id).execute()
  await endInstructors(tx, sql<boolean>`training_id = ${training.id}`)
  await setWindow(tx, training.id, null)
}

/** @returns false if the training was not removed */
export async function restoreTraining(tx: Tx, training: Place): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('training')
    .set({ removed_at: null })
    .where('id', '=', training.id)
    .where('removed_at', 'is not', null)
    .executeTakeFirst()
  if (numUpdatedRows > 0n) await publishTraining(tx, 'training.restored', training)
  return numUpdatedRows > 0n
}
