import { sql } from 'kysely'
import type { OrderId, TrainingId } from '@trainyard/contract/words/ids.ts'
import type { Db } from '../../../db/schema.ts'
import { durationsByGroup } from '../operation/durations.ts'
import { IS_OF_DEACTIVATED } from '../machine/desired-power.ts'

/** Lead time in seconds that is used while there are no measurements. */
const DEFAULT_SECONDS = { create: { Linux: 300, Windows: 900 }, start: { Linux: 180, Windows: 420 } }
/**
 * Margin added to the 90th percentile: the percentile is multiplied by `factor`. Then `seconds`, and `each` per
 * machine, are added, because the provider processes machines one after the other.
 */
const MARGIN = { factor: 1.2, seconds: 60, each: 0.5 }

export interface ReadySelection {
  readonly training: TrainingId
  readonly order: OrderId | null
}

export const isSelected = ({ training, order }: ReadySelection) =>
  sql<boolean>`training_id = ${training} and terminated_at is null and desired <> 'gone' and withheld_at is null
    and not ${IS_OF_DEACTIVATED} and (${order}::uuid is null or order_id = ${order})`

export async function leadOf(db: Db, of: ReadySelection): Promise<{ seconds: number; machines: number }> {
  const live = sql`
    select case when first_seen_at is null then 'create' else 'start' end as kind, os, vm_size, location, count(*) as count
    from machine where ${isSelected(of)}
    group by 1, 2, 3, 4`
  const groups = sql`select distinct kind, vm_size, location from (${live}) as live`
  const { rows } = await sql<{ kind: 'create' | 'start'; os: 'Linux' | 'Windows'; count: number; p90: number | null }>`
    select live.kind, live.os, live.count, coalesce(r.p90, e.p90) as p90 from (${live}) as live
    left join ${durationsByGroup(groups, 'ready_at')} as r using (kind, vm_size, location)
    left join ${durationsByGroup(groups)} as e using (kind, vm_size, location)`.execute(db)
  const machines = rows.reduce((sum, { count }) => sum + count, 0)
  const slowest = Math.max(0, ...rows.map(({ kind, os, p90 }) => p90 ?? DEFAULT_SECONDS[kind][os]))
  return { seconds: Math.ceil(slowest * MARGIN.factor + MARGIN.seconds + machines * MARGIN.each), machines }
}
