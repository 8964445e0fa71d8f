import { type RawBuilder, sql } from 'kysely'
import type { MachineId, TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import { type Paise, paise } from '@trainyard/platform/contract/words/money.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { selectSecondsUsed, selectBill } from './queries.ts'

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
  const { rows } = await selectSecondsUsed(db, machines)
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
  const { rows } = await selectBill(db, training, email)
  const [row] = rows
  return { ...row!, amount: paise(row!.amount) }
}
