import { sql } from 'kysely'
import type { OrderId, TrainingId } from '@trainyard/contract/words/ids.ts'
import type { Db } from '../../../db/schema.ts'
import { usualOf } from '../operation/usual.ts'

/** Seconds until nothing was measured of such machines. */
const UNMEASURED = { create: { Linux: 300, Windows: 900 }, start: { Linux: 180, Windows: 420 } }
/** A fifth more than nine in ten took, a minute, and half a second for each machine: the provider takes them in turn. */
const MARGIN = { factor: 1.2, seconds: 60, each: 0.5 }

/** The machines that are to be ready: all live ones of a training, or those of one order in it. */
export interface ToBeReady {
  readonly training: TrainingId
  readonly order: OrderId | null
}

/** A condition on `machine`. */
export const isToBeReady = ({ training, order }: ToBeReady) =>
  sql<boolean>`training_id = ${training} and terminated_at is null and desired <> 'gone'
    and (${order}::uuid is null or order_id = ${order})`

/** Returns the seconds before which machines must be started to be ready, and how many they are. */
export async function leadOf(db: Db, of: ToBeReady): Promise<{ seconds: number; machines: number }> {
  const live = sql`
    select case when first_seen_at is null then 'create' else 'start' end as kind, os, vm_size, location, count(*) as count
    from machine where ${isToBeReady(of)}
    group by 1, 2, 3, 4`
  const groups = sql`select distinct kind, vm_size, location from (${live}) as live`
  const { rows } = await sql<{ kind: 'create' | 'start'; os: 'Linux' | 'Windows'; count: number; p90: number | null }>`
    select live.kind, live.os, live.count, coalesce(r.p90, e.p90) as p90 from (${live}) as live
    left join ${usualOf(groups, 'ready_at')} as r using (kind, vm_size, location)
    left join ${usualOf(groups)} as e using (kind, vm_size, location)`.execute(db)
  const machines = rows.reduce((sum, { count }) => sum + count, 0)
  const slowest = Math.max(0, ...rows.map(({ kind, os, p90 }) => p90 ?? UNMEASURED[kind][os]))
  return { seconds: Math.ceil(slowest * MARGIN.factor + MARGIN.seconds + machines * MARGIN.each), machines }
}
