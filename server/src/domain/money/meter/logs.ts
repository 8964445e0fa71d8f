import { sql } from 'kysely'
import type { Db } from '../../../db/schema.ts'
import type { Actor } from '../../../core/actor.ts'
import { readableMachine } from './readable.ts'

export interface LogEntry {
  readonly start: string
  readonly stop: string | null
  /** Minutes, rounded to two decimals. */
  readonly duration: number
}

/** Maximum number of entries. A machine that is started ten times a day reaches it after a year and a half. */
const ENTRIES = 5_000

/**
 * Returns the log, newest first.
 * @throws Problem notFound, or forbidden for a user outside the access window
 */
export async function logsOf(db: Db, actor: Actor, vmName: string): Promise<LogEntry[]> {
  const machine = await readableMachine(db, actor, vmName)
  const { rows } = await sql<{ start: Date; stop: Date | null; seconds: number }>`
    select min(started_at) as start, case when bool_and(stopped_at is not null) then max(stopped_at) end as stop,
      sum(greatest(0, extract(epoch from coalesce(stopped_at, date_trunc('second', portal_now())) - started_at)))::bigint
        as seconds
    from (select id, started_at, stopped_at,
        -- A change of the price splits the usage record, but not the session.
        count(*) filter (where opened_by <> 'price changed') over (order by started_at, id) as session
      from run where machine_id = ${machine} and hidden_at is null) as record
    group by session order by session desc limit ${ENTRIES}`.execute(db)
  return rows.map(({ start, stop, seconds }) => ({
    start: start.toISOString(),
    stop: stop?.toISOString() ?? null,
    duration: Math.round((seconds * 100) / 60) / 100,
  }))
}
