import { type RawBuilder, sql } from 'kysely'
import type { ReplyOf } from '@trainyard/contract/call.ts'
import type { machine as machineCalls } from '@trainyard/contract/calls/machine.ts'
import type { remote as remoteCalls } from '@trainyard/contract/calls/remote.ts'
import type { MachineId } from '@trainyard/contract/words/ids.ts'
import type { Db, Tx } from '../../../db/schema.ts'

const MAX_COUNTED = 200
const OPENING_DAYS = 30
const MAX_PER_USER = 5
/** Maximum number of recent rows read per group, before the rows of each user are limited to MAX_PER_USER. */
const MAX_SCANNED = 1_000
const RETENTION_DAYS = 90
const MAX_GROUPS = 200
const MAX_SHOWN = 20

/**
 * SQL: count, median and 95th percentile of the time that desktops and terminals took to open, per group. Browsers may
 * report wrong times, so each user contributes at most MAX_PER_USER rows.
 * @param groups kind, vm_size, location
 */
const openingTimesByGroup = (groups: RawBuilder<unknown>) => sql`(
  select g.kind, g.vm_size, g.location, u.count, u.median, u.p95 from (${groups}) as g
  cross join lateral (
    select count(*)::int as count, percentile_cont(0.5) within group (order by milliseconds)::float8 as median,
      percentile_cont(0.95) within group (order by milliseconds)::float8 as p95
    from (
      select milliseconds from (
        select milliseconds, measured_at,
          row_number() over (partition by user_id order by measured_at desc) as of_person
        from (select user_id, milliseconds, measured_at from remote_opening o
          where o.kind = g.kind and o.vm_size = g.vm_size and o.location = g.location
            and o.measured_at > portal_now() - make_interval(days => ${sql.lit(OPENING_DAYS)})
          order by o.measured_at desc limit ${sql.lit(MAX_SCANNED)}) latest) numbered
      where of_person <= ${sql.lit(MAX_PER_USER)} order by measured_at desc limit ${sql.lit(MAX_COUNTED)}) counted) as u
  where u.count > 0)`

/** SQL: all groups. The query is a loose index scan, because there are many rows but few groups. */
const EVERY_GROUP = sql`
  with recursive found as (
    (select kind, vm_size, location from remote_opening order by kind, vm_size, location limit 1)
    union all
    select more.* from found, lateral (
      select kind, vm_size, location from remote_opening o
      where (o.kind, o.vm_size, o.location) > (found.kind, found.vm_size, found.location)
      order by kind, vm_size, location limit 1) as more)
  select * from found limit ${sql.lit(MAX_GROUPS)}`

type Measured = ReplyOf<typeof remoteCalls.openings>['measured']

export async function openingsByGroup(db: Db): Promise<Measured> {
  const { rows } = await sql<Measured[number]>`
    select kind, vm_size as "vmSize", location, count, median, p95 from ${openingTimesByGroup(EVERY_GROUP)} as usual
    order by location, vm_size, kind desc`.execute(db)
  return rows
}

type Openings = ReplyOf<typeof machineCalls.operations>['openings']
type OpeningRow = Omit<Openings[number], 'at' | 'usual'> & { at: Date; median: number; p95: number }

export async function openingsOf(db: Db, machine: MachineId): Promise<Openings> {
  const { rows } = await sql<OpeningRow>`
    with shown as materialized (
      select kind, vm_size, location, milliseconds, measured_at from remote_opening
      where machine_id = ${machine} and measured_at > portal_now() - make_interval(days => ${sql.lit(OPENING_DAYS)})
      order by measured_at desc limit ${sql.lit(MAX_SHOWN)})
    select s.kind, s.measured_at as at, s.milliseconds, u.median, u.p95 from shown s
    join ${openingTimesByGroup(sql`select distinct kind, vm_size, location from shown`)} as u using (kind, vm_size, location)
    order by s.measured_at desc`.execute(db)
  return rows.map(({ at, median, p95, ...row }) => ({ ...row, at: at.toISOString(), usual: { median, p95 } }))
}

export async function deleteOldOpenings(tx: Tx): Promise<void> {
  await sql`delete from remote_opening
    where measured_at < portal_now() - make_interval(days => ${sql.lit(RETENTION_DAYS)})`.execute(tx)
}
