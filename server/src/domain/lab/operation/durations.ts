import { type RawBuilder, sql } from 'kysely'
import type { OperationKind, UsualDuration } from '@trainyard/contract/words/operation.ts'
import type { Db } from '../../../db/schema.ts'

export interface Measured {
  readonly kind: OperationKind
  readonly vm_size: string
  readonly location: string
}

/** The latest operations of each group: older ones say little about the current speed. */
const LATEST = 200
const DAYS = 30

/**
 * Returns SQL for these groups with the median and 90th percentile of their latest operations in seconds, from the
 * request to the end, without the time in which a stop could be undone. Computed from the operations at each call,
 * using an index, so that it always matches them. Groups without measurements are omitted.
 * @param groups a query of kind, vm_size and location
 * @param until the column with the end of the measured time
 */
export const durationsByGroup = (groups: RawBuilder<unknown>, until: 'ended_at' | 'ready_at' = 'ended_at') => sql`(
  select g.kind, g.vm_size, g.location, u.median, u.p90 from (${groups}) as g
  cross join lateral (
    select percentile_cont(0.5) within group (order by seconds)::float8 as median,
      percentile_cont(0.9) within group (order by seconds)::float8 as p90
    from (
      select extract(epoch from ${sql.ref(until)} - coalesce(held_until, asked_at)) as seconds from operation done
      where done.kind = g.kind and done.vm_size = g.vm_size and done.location = g.location
        and done.ended_at > portal_now() - make_interval(days => ${sql.lit(DAYS)}) and ${sql.ref(until)} is not null
      order by done.ended_at desc limit ${sql.lit(LATEST)}) latest) as u
  where u.median is not null)`

/** Returns null if there are no measurements. */
export async function usualDuration(
  db: Db,
  { kind, vm_size, location }: Measured,
  until?: 'ended_at' | 'ready_at',
): Promise<UsualDuration | null> {
  const group = sql`select ${kind}::text as kind, ${vm_size}::text as vm_size, ${location}::text as location`
  const { rows } = await sql<UsualDuration>`select median, p90 from ${durationsByGroup(group, until)} as usual`.execute(
    db,
  )
  return rows[0] ?? null
}
