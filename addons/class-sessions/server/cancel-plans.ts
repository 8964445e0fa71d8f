import { sql } from 'kysely'
import type { TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import { removePlannedSessions } from './queries.ts'

/** Cancels the future sessions, the weekly schedules and the ready times of removed trainings. */
export async function cancelPlans(tx: Tx, trainings: readonly TrainingId[]): Promise<void> {
  await removePlannedSessions(tx, trainings)
  await tx
    .updateTable('recurrence')
    .set({ removed_at: sql<Date>`portal_now()` })
    .where('training_id', 'in', trainings)
    .where('removed_at', 'is', null)
    .execute()
  await tx
    .updateTable('ready_by')
    .set({ removed_at: sql<Date>`portal_now()` })
    .where('training_id', 'in', trainings)
    .where('started_at', 'is', null)
    .where('removed_at', 'is', null)
    .execute()
}
