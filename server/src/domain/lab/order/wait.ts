import { sql } from 'kysely'
import type { Tx } from '../../../db/schema.ts'
import type { TemplateRow } from '../../../db/tables/templates.gen.ts'
import { usualDuration } from '../operation/durations.ts'

/** Durations in seconds that are used while there are no measurements. */
const DEFAULT_SECONDS = { first: 90, each: 0.5 }

/**
 * Returns the wait in whole minutes. It is computed from the median creation time and the time per additional machine
 * in recent orders.
 */
export async function waitMinutes(
  tx: Tx,
  machines: number,
  { vm_size, location }: Pick<TemplateRow, 'vm_size' | 'location'>,
): Promise<number> {
  const usualSeconds = await usualDuration(tx, { kind: 'create', vm_size, location })
  const { rows } = await sql<{ first: number | null; each: number | null }>`
    with latest as (select id, machine_count, created_at from machine_order order by created_at desc limit 30),
    took as (
      select l.machine_count,
        extract(epoch from min(m.first_seen_at) - l.created_at) as first,
        extract(epoch from max(m.first_seen_at) - min(m.first_seen_at)) as rest
      from latest l join machine m on m.order_id = l.id
      group by l.id, l.machine_count, l.created_at
      -- Excludes orders with a reset machine, because its first_seen_at is the time at which it was created again.
      having count(*) = count(m.first_seen_at) and not bool_or(m.reset_count > 0) and min(m.first_seen_at) > l.created_at)
    select percentile_cont(0.5) within group (order by first)::float8 as first,
      (percentile_cont(0.5) within group (order by rest / (machine_count - 1))
        filter (where machine_count > 1))::float8 as each
    from took`.execute(tx)
  const { first, each } = rows[0] ?? { first: null, each: null }
  const seconds =
    (usualSeconds?.median ?? first ?? DEFAULT_SECONDS.first) + (machines - 1) * (each ?? DEFAULT_SECONDS.each)
  return Math.max(1, Math.ceil(seconds / 60))
}
