import { sql } from 'kysely'
import type { TrainingId } from '@trainyard/contract/words/ids.ts'
import { ALERTS } from '@trainyard/contract/words/problems.ts'
import type { Tx } from '../../db/schema.ts'
import type { HandlersOf } from '../../core/handler.ts'
import { trainingInScope } from '../training/scope.ts'

/** Takes the runs so far from a training's log screen. They are hidden, not lost: bills and quotas count them still. */
async function clearLogs(tx: Tx, training: TrainingId): Promise<void> {
  await sql`
    update run set hidden_at = portal_now()
    where hidden_at is null and machine_id in (select id from machine where training_id = ${training})`.execute(tx)
}

export const logsHandlers: HandlersOf<'logs'> = {
  async clear(tx, { actor, body }) {
    const { id } = await trainingInScope(tx, actor, body)
    await clearLogs(tx, id)
    return { message: ALERTS.logsDeleted }
  },
}
