import { type RawBuilder, sql } from 'kysely'
import type { OperationKind, UsualDuration } from '@trainyard/contract/words/operation.ts'
import type { Db } from '../../../db/schema.ts'

export interface Measured {
  readonly kind: OperationKind
  readonly vm_size: string
  readonly location: string
}

/** Number of the latest operations that are used, because older operations say little about the current speed. */
const LATEST = 200
const DURATION_DAYS = 30

/**
 * Returns usual durations in seconds, without the undo period.
 * @param groups kind, vm_size, location
 * @param until column with the end of the duration
 */
export const durationsByGroup = (groups: RawBuilder<unknown>, until: 'ended_at' | 'ready_at' = 'ended_at') => sql`(
  select g.kind, g.vm_size, g.location, u.median, u.p90 from (${groups}) as g
  cross join lateral (
    select percentile_cont(0.5) within group (order by seconds)::float8 as median,
      percentile_cont(0.9) within group (order by seconds)::float8 as p90
    from (
      select extract(epoch from ${sql.ref(until)} - coalesce(held_until, asked_at)) as seconds from operation done
      where done.kind = g.kind and done.vm_size = g.vm_size and done.location = g.location
        and done.ended_at > portal_now() - make_interval(days => ${sql.lit(DURATION_DAYS)}) and ${sql.ref(until)} is not null
      order by done.ended_at desc limit ${sql.lit(LATEST)}) latest) as u
  where u.median is not null)`

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
