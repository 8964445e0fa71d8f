import { type RawBuilder, sql } from 'kysely'
import type { MachineId, TrainingId } from '@trainyard/contract/words/ids.ts'
import { type Paise, paise } from '@trainyard/contract/words/money.ts'
import type { Db, Tx } from '../../../db/schema.ts'

/**
 * SQL: seconds of a run as a bigint, because summing the numeric of `extract` over 100,000 runs is several times
 * slower.
 */
const secondsOfRun = sql`greatest(0,
  date_part('epoch', coalesce(r.stopped_at, date_trunc('second', portal_now())) - r.started_at)::bigint)`

/** SQL: `(select machine_id, seconds)`, read for one machine after the other from an index only. */
export function usedByMachine(machines: RawBuilder<unknown>): RawBuilder<{ machine_id: MachineId; seconds: number }> {
  return sql`(select mine.id as machine_id, total.seconds from (${machines}) as mine (id)
    cross join lateral (
      select sum(${secondsOfRun})::bigint as seconds from all_run r where r.machine_id = mine.id) as total
    where total.seconds is not null)`
}

/** SQL: bill of each machine. `offset 0` makes PostgreSQL compute a run's seconds only once. */
export function billByMachine(machines: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select mine.id as machine_id, total.runs, total.seconds, total.amount from (${machines}) as mine (id)
    cross join lateral (
      select count(*)::int as runs, sum(seconds)::bigint as seconds, round(sum(seconds * price) / 3600) as amount
      from (select ${secondsOfRun} as seconds, r.paise_per_hour as price from all_run r where r.machine_id = mine.id offset 0) as ran
    ) as total
    where total.runs > 0)`
}

/** SQL: `(select machine_id, amount)`, the bill of each machine before an instant. */
export function billByMachineBefore(machines: RawBuilder<unknown>, instant: Date): RawBuilder<unknown> {
  return sql`(select mine.id as machine_id, total.amount from (${machines}) as mine (id)
    cross join lateral (
      select round(sum(date_part('epoch',
        least(coalesce(r.stopped_at, ${instant}), ${instant}) - r.started_at)::bigint * r.paise_per_hour) / 3600) as amount
      from all_run r where r.machine_id = mine.id and r.started_at < ${instant}) as total
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
