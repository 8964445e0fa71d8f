import { sql } from 'kysely'
import type { Tx, Db } from '../../db/schema.ts'

export interface TaskStatus {
  readonly name: string
  /** null: one worker at a time runs this task. */
  readonly worker: string | null
  readonly everySeconds: number
  readonly startedAt: string | null
  /** null during the first run. */
  readonly endedAt: string | null
  readonly result: 'not run yet' | 'running' | 'done' | 'failed'
  readonly error: string | null
  /** Delay between the due time and the start of the run, in seconds. */
  readonly lagSeconds: number | null
}

export const upsertPulse = (tx: Tx, worker: string) =>
  sql`
    insert into worker_pulse (worker, seen_at) values (${worker}, portal_now())
    on conflict (worker) do update set seen_at = excluded.seen_at`.execute(tx)

export const upsertTaskReports = (tx: Tx, worker: string, rows: string) =>
  sql`
    insert into task_on_worker (worker, name, every, started_at, ended_at, lag_seconds, last_error)
    select ${worker}, name, every, portal_now() - make_interval(secs => started),
      portal_now() - make_interval(secs => ended), lag, error
    from jsonb_to_recordset(${rows}::jsonb) as ran (name text, every float8, started float8,
      ended float8, lag float8, error text)
    on conflict (worker, name) do update set every = excluded.every, started_at = excluded.started_at,
      ended_at = excluded.ended_at, lag_seconds = excluded.lag_seconds, last_error = excluded.last_error`.execute(tx)

export const selectTasks = (db: Db) =>
  sql<Omit<TaskStatus, 'startedAt' | 'endedAt'> & { started_at: Date | null; ended_at: Date | null }>`
    select name, worker, every as "everySeconds", started_at, ended_at, error, lag_seconds as "lagSeconds",
      case when running then 'running' when started_at is null then 'not run yet'
        when failed then 'failed' else 'done' end as result
    from (
      select name, null as worker, every, started_at, ended_at, last_error as error, lag_seconds,
        coalesce(leased_until > portal_now(), false) as running, attempts > 0 as failed from task
      union all
      select name, worker, every, started_at, ended_at, last_error, lag_seconds,
        coalesce(ended_at < started_at, true), last_error is not null from task_on_worker
    ) as all_tasks
    order by name, worker`.execute(db)
