import { sql } from 'kysely'
import type { TrainingId } from '@trainyard/contract/words/ids.ts'
import type { Tx } from '../../../db/schema.ts'

/** Hides runs from the log screen. Bills and quotas still count them. */
export async function clearLogs(tx: Tx, training: TrainingId): Promise<void> {
  await sql`
    update run set hidden_at = portal_now()
    where hidden_at is null and machine_id in (select id from machine where training_id = ${training})`.execute(tx)
}
