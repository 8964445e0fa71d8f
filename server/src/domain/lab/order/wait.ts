import { sql } from 'kysely'
import type { Tx } from '../../../db/schema.ts'
import type { TemplateRow } from '../../../db/schema/template.ts'
import { usualSeconds } from '../operation/usual.ts'

/** Until anything has been measured: what a machine takes to run, and each further one of the same order. */
const UNMEASURED = { first: 90, each: 0.5 }

/**
 * Whole minutes until an order of so many machines runs: the median of what such a machine took of late, and what each
 * further one of the same order took in the latest orders.
 */
export async function waitMinutes(
  tx: Tx,
  machines: number,
  { vm_size, location }: Pick<TemplateRow, 'vm_size' | 'location'>,
): Promise<number> {
  const usual = await usualSeconds(tx, { kind: 'create', vm_size, location })
  const { rows } = await sql<{ first: number | null; each: number | null }>`
    with latest as (select id, machine_count, created_at from machine_order order by created_at desc limit 30),
    took as (
      select l.machine_count,
        extract(epoch from min(m.first_seen_at) - l.created_at) as first,
        extract(epoch from max(m.first_seen_at) - min(m.first_seen_at)) as rest
      from latest l join machine m on m.order_id = l.id
      group by l.id, l.machine_count, l.created_at
      -- One that was reset was seen anew since.
      having count(*) = count(m.first_seen_at) and not bool_or(m.reset_count > 0) and min(m.first_seen_at) > l.created_at)
    select percentile_cont(0.5) within group (order by first)::float8 as first,
      (percentile_cont(0.5) within group (order by rest / (machine_count - 1))
        filter (where machine_count > 1))::float8 as each
    from took`.execute(tx)
  const { first, each } = rows[0] ?? { first: null, each: null }
  const seconds = (usual?.median ?? first ?? UNMEASURED.first) + (machines - 1) * (each ?? UNMEASURED.each)
  return Math.max(1, Math.ceil(seconds / 60))
}
