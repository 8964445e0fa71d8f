import { type RawBuilder, sql } from 'kysely'
import type { MachineId, TrainingId } from '@trainyard/contract/words/ids.ts'
import { type Paise, paise } from '@trainyard/contract/words/money.ts'
import type { Db, Tx } from '../../../db/schema.ts'

/**
 * Joins the stored sums over the ended runs of each machine, and its open run: see docs/decisions/264. `offset 0` makes
 * PostgreSQL read both machine by machine through an index, however many machines it expects.
 */
const runsByMachine = (machines: RawBuilder<unknown>) => sql`(${machines}) as mine (id)
    left join lateral (
      select runs, seconds, paise_seconds from run_total where machine_id = mine.id offset 0) as ended on true
    left join lateral (
      select greatest(0, date_part('epoch', date_trunc('second', portal_now()) - started_at)::bigint) as seconds,
        paise_per_hour
      from run where machine_id = mine.id and stopped_at is null offset 0) as open on true
    where (ended.runs > 0 or open.seconds is not null)`

/** SQL: `(select machine_id, seconds)` */
export function usedByMachine(machines: RawBuilder<unknown>): RawBuilder<{ machine_id: MachineId; seconds: number }> {
  return sql`(select mine.id as machine_id, coalesce(ended.seconds, 0) + coalesce(open.seconds, 0) as seconds
    from ${runsByMachine(machines)})`
}

/** SQL: `(select machine_id, runs, seconds, amount)` */
export function billByMachine(machines: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select mine.id as machine_id, coalesce(ended.runs, 0) + (open.seconds is not null)::int as runs,
      coalesce(ended.seconds, 0) + coalesce(open.seconds, 0) as seconds,
      round((coalesce(ended.paise_seconds, 0) + coalesce(open.seconds * open.paise_per_hour, 0)) / 3600) as amount
    from ${runsByMachine(machines)})`
}

/** SQL: `(select machine_id, amount)`, the bill of each machine before an instant. */
export function billByMachineBefore(machines: RawBuilder<unknown>, instant: Date): RawBuilder<unknown> {
  return sql`(select mine.id as machine_id, total.amount from (${machines}) as mine (id)
    cross join lateral (
      select round(sum(date_part('epoch',
        least(coalesce(r.stopped_at, ${instant}), ${instant}) - r.started_at)::bigint * r.paise_per_hour) / 3600) as amount
      from run r where r.machine_id = mine.id and r.started_at < ${instant}) as total
    where total.amount is not null)`
}

export async function secondsUsed(db: Db | Tx, machines: readonly MachineId[]): Promise<Map<MachineId, number>> {
  const { rows } = await sql<{ machine_id: MachineId; seconds: number }>`
    select * from ${usedByMachine(sql`select unnest(${machines}::uuid[])`)} as used`.execute(db)
  return new Map(rows.map((row) => [row.machine_id, row.seconds]))
}

/** Returns minutes with two decimals, rounded down so that they never reach the next whole minute early. */
export const minutesOfSeconds = (seconds: number): number => Math.floor((seconds * 100) / 60) / 100

export const hoursOfSeconds = (seconds: number): number => Math.round((seconds * 100) / 3600) / 100

export interface TrainingBill {
  readonly amount: Paise
  readonly seconds: number
  readonly online: number
  readonly offline: number
}

/** Returns the bill, rounded half up once per machine. With `email`, only that learner's machines count. */
export async function billOf(db: Db, training: TrainingId, email: string | null): Promise<TrainingBill> {
  const { rows } = await sql<{ amount: number; seconds: number; online: number; offline: number }>`
    with mine as (
      select id, observed = 'running' as online, terminated_at is null as alive
      from machine where training_id = ${training} and (${email}::text is null or email = ${email})
    ), used as ${billByMachine(sql`select id from mine`)}
    select coalesce((select sum(amount) from used), 0)::bigint as amount,
      coalesce((select sum(seconds) from used), 0)::bigint as seconds,
      (select count(*) from mine where alive and online) as online,
      (select count(*) from mine where alive and not online) as offline`.execute(db)
  const [row] = rows
  return { ...row!, amount: paise(row!.amount) }
}
