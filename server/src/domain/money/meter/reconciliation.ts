import { sql } from 'kysely'
import type { MachineId } from '@trainyard/contract/words/ids.ts'
import type { Db } from '../../../db/schema.ts'
import type { PowerRecord } from '../../../providers/power-record.ts'
import { portalNow } from '../../../db/client.ts'

interface Ours {
  readonly id: MachineId
  readonly name: string
  readonly seconds: number
}

export interface Difference {
  readonly machine_name: string
  readonly machine_id: MachineId | null
  readonly seconds_here: number
  readonly seconds_there: number
}

const DAY_MS = 24 * 3600_000

/** The days of UTC that are over and were not compared yet: yesterday, and what a standstill left of the week before. */
export async function daysToCompare(db: Db): Promise<string[]> {
  const { rows } = await sql<{ day: string }>`
    with last as (select max(day) as day from reconciliation),
      today as (select (portal_now() at time zone 'UTC')::date as day)
    select to_char(d, 'YYYY-MM-DD') as day from today, last,
      generate_series(greatest(today.day - 7, coalesce(last.day + 1, today.day - 1)), today.day - 1, interval '1 day') as d
    order by d`.execute(db)
  return rows.map(({ day }) => day)
}

/**
 * Compares one day's runs with the provider's own record and keeps what differs. Nothing is mended: a bill that
 * differs is somebody's decision. A day is compared once.
 */
export async function compareDay(db: Db, record: PowerRecord, day: string, signal: AbortSignal): Promise<Difference[]> {
  const from = new Date(`${day}T00:00:00Z`)
  const to = new Date(from.getTime() + DAY_MS)
  const theirs = await record.billedBetween(from, to, signal)
  const ours = await secondsBetween(db, from, to)
  const differences = differencesBetween(ours, theirs)
  await db.transaction().execute(async (tx) => {
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('reconciliation')
      .values({
        day,
        compared_at: sql<Date>`portal_now()`,
        machines: new Set([...ours.map(({ name }) => name), ...theirs.map(({ name }) => name)]).size,
        seconds_here: ours.reduce((sum, { seconds }) => sum + seconds, 0),
        seconds_there: theirs.reduce((sum, { seconds }) => sum + seconds, 0),
      })
      .onConflict((on) => on.doNothing())
      .executeTakeFirst()
    if (numInsertedOrUpdatedRows === 0n || differences.length === 0) return
    await tx
      .insertInto('reconciliation_difference')
      .values(differences.map((difference) => ({ day, ...difference })))
      .execute()
  })
  return differences
}

async function secondsBetween(db: Db, from: Date, to: Date): Promise<Ours[]> {
  const { rows } = await sql<Ours>`
    select m.id, m.name, sum(date_part('epoch', least(coalesce(r.stopped_at, ${to}), ${to}) - greatest(r.started_at, ${from})))::bigint as seconds
    from all_run r join machine m on m.id = r.machine_id
    where r.started_at < ${to} and (r.stopped_at is null or r.stopped_at > ${from})
    group by m.id having sum(date_part('epoch', least(coalesce(r.stopped_at, ${to}), ${to}) - greatest(r.started_at, ${from}))) > 0`.execute(
    db,
  )
  return rows
}

/** A machine is the same by our tag, or, where the provider's record has none, by its name, which is unique. */
function differencesBetween(
  ours: readonly Ours[],
  theirs: readonly { readonly name: string; readonly id: string | null; readonly seconds: number }[],
): Difference[] {
  const there = new Map<string, number>()
  for (const { name, seconds } of theirs) there.set(name, (there.get(name) ?? 0) + seconds)
  const here = new Map(ours.map((machine) => [machine.name, machine]))
  return [...new Set([...here.keys(), ...there.keys()])]
    .map((machine_name) => ({
      machine_name,
      machine_id: here.get(machine_name)?.id ?? null,
      seconds_here: here.get(machine_name)?.seconds ?? 0,
      seconds_there: there.get(machine_name) ?? 0,
    }))
    .filter(({ seconds_here, seconds_there }) => seconds_here !== seconds_there)
}

export interface ComparedDay {
  readonly date: string
  readonly comparedAt: Date
  readonly machines: number
  readonly secondsHere: number
  readonly secondsThere: number
  readonly differences: readonly {
    readonly machine: string
    readonly organization: string | null
    readonly secondsHere: number
    readonly secondsThere: number
  }[]
}

const DAYS_SHOWN = 30
/** Of one day: more than these are the same difference many times. */
const DIFFERENCES_SHOWN = 200

/** The last days that were compared, newest first. */
export async function comparedDays(db: Db): Promise<ComparedDay[]> {
  const { rows } = await sql<ComparedDay>`
    select to_char(c.day, 'YYYY-MM-DD') as date, c.compared_at as "comparedAt", c.machines,
      c.seconds_here as "secondsHere", c.seconds_there as "secondsThere",
      coalesce((select jsonb_agg(jsonb_build_object('machine', d.machine_name, 'organization', d.organisation,
          'secondsHere', d.seconds_here, 'secondsThere', d.seconds_there) order by d.machine_name)
        from (select d.machine_name, o.name as organisation, d.seconds_here, d.seconds_there
          from reconciliation_difference d left join machine m on m.id = d.machine_id
          left join organisation o on o.id = m.organisation_id
          where d.day = c.day order by d.machine_name limit ${DIFFERENCES_SHOWN}) d), '[]'::jsonb) as differences
    from reconciliation c order by c.day desc limit ${DAYS_SHOWN}`.execute(db)
  return rows
}

/** After midnight of UTC, so that what the day's last minute brought is in both records. */
const AFTER_MIDNIGHT_MS = 30 * 60_000

/** Compares our runs of the days that are over with the provider's own record. Answers the seconds until the next day is. */
export async function compareDays(db: Db, record: PowerRecord, signal: AbortSignal): Promise<number> {
  for (const day of await daysToCompare(db)) await compareDay(db, record, day, signal)
  const now = (await portalNow(db)).getTime()
  return ((Math.floor(now / DAY_MS) + 1) * DAY_MS + AFTER_MIDNIGHT_MS - now) / 1000
}
