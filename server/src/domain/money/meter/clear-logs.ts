import { sql } from 'kysely'
import type { TrainingId } from '@trainyard/contract/words/ids.ts'
import type { Tx } from '../../../db/schema.ts'

/** Takes the runs so far from a training's log screen. They are hidden, not lost: bills and quotas count them still. */
export async function clearLogs(tx: Tx, training: TrainingId): Promise<void> {
  // The archive comes second: rows move to it, and back only when a clock does.
  for (const table of ['run', 'run_archive']) {
    await sql`
      update ${sql.table(table)} set hidden_at = portal_now()
      where hidden_at is null and machine_id in (select id from machine where training_id = ${training})`.execute(tx)
  }
}
