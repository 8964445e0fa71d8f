import { sql } from 'kysely'
import type { TrainingId } from '@trainyard/contract/words/ids.ts'
import type { Db } from '../../db/schema.ts'
import { usualOf } from '../operation/usual.ts'

/** Seconds until nothing was measured of such machines. */
const UNMEASURED = { create: { Linux: 300, Windows: 900 }, start: { Linux: 180, Windows: 420 } }
/** A fifth more than nine in ten took, a minute, and half a second for each machine: the provider takes them in turn. */
const MARGIN = { factor: 1.2, seconds: 60, each: 0.5 }

/** Returns the seconds before which a training's machines must be started to be ready, and how many they are. */
export async function leadOf(db: Db, training: TrainingId): Promise<{ seconds: number; machines: number }> {
  const live = sql`
    select case when first_seen_at is null then 'create' else 'start' end as kind, os, vm_size, location, count(*) as count
    from machine where training_id = ${training} and terminated_at is null and desired <> 'gone'
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
