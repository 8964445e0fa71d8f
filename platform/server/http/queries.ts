import { sql } from 'kysely'
import type { Db } from '../db/schema.ts'

/** Seconds after which the last heartbeat of a worker no longer counts. */
const PULSE_SECONDS = 30

export const selectHealth = (db: Db) =>
  sql<{ worker: boolean; cloud: boolean | null; mail: boolean | null }>`
    select
      exists (select from worker_pulse where seen_at > portal_now() - make_interval(secs => ${PULSE_SECONDS})) as worker,
      (select up from part_state where part = 'cloud') as cloud,
      (select up from part_state where part = 'mail') as mail`.execute(db)

export const selectOne = (db: Db) => sql`select 1`.execute(db)
