import type { TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import type { TrainingInScope } from '@trainyard/trainings/server/scope.ts'
import { upsertAnnouncement, deleteAnnouncement } from './queries.ts'
import { classChanged } from '@trainyard/trainings/server/machine-changes.ts'

/** Publishes an announcement, which replaces the previous announcement. */
export async function announce(
  tx: Tx,
  actor: Actor,
  training: TrainingInScope,
  { text, minutes }: { readonly text: string; readonly minutes: number },
): Promise<void> {
  await upsertAnnouncement(tx, {
    training: training.id,
    organisationId: training.organisationId,
    text,
    email: actor.email,
    minutes,
  })
  await classChanged(tx, training.id)
}

export async function removeAnnouncement(tx: Tx, training: TrainingId): Promise<boolean> {
  const { rows } = await deleteAnnouncement(tx, training)
  await classChanged(tx, training)
  return rows[0]?.shown ?? false
}
