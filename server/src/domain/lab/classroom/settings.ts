import { sql } from 'kysely'
import type { TrainingId } from '@trainyard/contract/words/ids.ts'
import type { Tx } from '../../../db/schema.ts'

/** Returns the previous value. */
export async function setIdleStop(tx: Tx, training: TrainingId, minutes: number | null): Promise<number | null> {
  const { rows } = await sql<{ before: number | null }>`
    update training set idle_stop_minutes = ${minutes} from (select id, idle_stop_minutes as before from training
      where id = ${training} for no key update) as was
    where training.id = was.id returning was.before`.execute(tx)
  return rows[0]!.before
}

/** Returns the previous value. */
export async function setWatching(tx: Tx, training: TrainingId, withoutAsking: boolean): Promise<boolean> {
  const { rows } = await sql<{ before: boolean }>`
    update training set watched_without_asking = ${withoutAsking}
    from (select id, watched_without_asking as before from training where id = ${training} for no key update) as was
    where training.id = was.id returning was.before`.execute(tx)
  return rows[0]!.before
}
