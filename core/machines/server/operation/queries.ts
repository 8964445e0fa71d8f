import { sql, type RawBuilder } from 'kysely'
import type { MachineId } from '@trainyard/platform/contract/words/ids.ts'
import type { OperatingSystem } from '@trainyard/platform/contract/words/limits.ts'
import type { UsualDuration } from '../../contract/operation.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import type { MachineAddress } from '@trainyard/templates/server/machine-address.ts'
import { sqlOf } from '@trainyard/platform/server/core/events.ts'
import { routeTo } from './route.ts'

export interface AwaitedMachine extends MachineAddress {
  readonly id: string
  readonly os: OperatingSystem
}

const PER_RUN = 256

/** Minutes after which a machine is reported as unreachable and is no longer checked. */
export const ANSWER_MINUTES = 10

const DURATION_DAYS = 30

/** Number of the latest operations that are used, because older operations say little about the current speed. */
const LATEST = 200

/**
 * Returns usual durations in seconds, without the undo period.
 * @param groups kind, size_name, location
 * @param until column with the end of the duration
 */
export const durationsByGroup = (groups: RawBuilder<unknown>, until: 'ended_at' | 'ready_at' = 'ended_at') => sql`(
  select g.kind, g.size_name, g.location, u.median, u.p90 from (${groups}) as g
  cross join lateral (
    select percentile_cont(0.5) within group (order by seconds)::float8 as median,
      percentile_cont(0.9) within group (order by seconds)::float8 as p90
    from (
      select extract(epoch from ${sql.ref(until)} - coalesce(held_until, asked_at)) as seconds from operation done
      where done.kind = g.kind and done.size_name = g.size_name and done.location = g.location
        and done.ended_at > portal_now() - make_interval(days => ${sql.lit(DURATION_DAYS)}) and ${sql.ref(until)} is not null
      order by done.ended_at desc limit ${sql.lit(LATEST)}) latest) as u
  where u.median is not null)`

export const selectMachinesToCheck = (db: Db) =>
  sql<AwaitedMachine>`
    select o.id, machine.public_ip as address, machine.os, ${sqlOf(routeTo, undefined)} as network
    from operation o join machine on machine.id = o.machine_id
    where o.closed_at is null and o.ended_at is not null and o.kind in ('create', 'start', 'restart', 'reset')
      and machine.observed = 'running' and machine.desired = 'running' and machine.reset_asked_at is null
      and not machine.password_due and machine.public_ip is not null
    -- In turn by organisation, so that machines that do not answer delay only those of their organisation.
    order by row_number() over (partition by machine.organisation_id order by random()), random()
    limit ${PER_RUN}`.execute(db)

/** SQL: kind of the operation that leads to the desired state of the machine `m`; null: none. */
const NEEDED = sql`case
  when m.terminated_at is not null then null
  when m.desired = 'gone' then 'delete'
  when m.reset_asked_at is not null then 'reset'
  when m.create_later then null
  when m.desired = 'stopped' then case when m.observed <> 'stopped' then 'stop' end
  when m.first_seen_at is null then 'create'
  when m.restart_asked_at is not null then 'restart'
  when m.observed <> 'running' then 'start' end`

/** An operation in progress stays open if it leads to the new state, or if only its check for connections is left. */
export const closeOutdatedOperations = (
  tx: Tx,
  machines: readonly MachineId[],
  formerErrors: readonly (string | null)[],
) =>
  sql`
    update operation o set closed_at = portal_now(), reason = case when o.ended_at is null then former.last_error end
    from unnest(${machines}::uuid[], ${formerErrors}::text[]) as former (id, last_error)
      join machine m on m.id = former.id cross join lateral (select ${NEEDED} as kind) as needed
    where o.machine_id = m.id and o.closed_at is null and o.kind <> 'capture'
      and not (o.ended_at is null and o.kind is not distinct from needed.kind and former.last_error is null)
      and not (o.ended_at is not null and needed.kind is null and m.desired = 'running')`.execute(tx)

export const insertNeededOperations = (tx: Tx, machines: readonly MachineId[]) =>
  sql`
    insert into operation (machine_id, organisation_id, kind, size_name, location)
    select m.id, m.organisation_id, needed.kind, m.size_name, m.location
    from machine m cross join lateral (select ${NEEDED} as kind) as needed
    where m.id = any(${machines}::uuid[]) and needed.kind is not null and not exists (
      select from operation o where o.machine_id = m.id and o.closed_at is null and o.kind <> 'capture')`.execute(tx)

export const closeAnswered = (tx: Tx, id: string) =>
  sql<{ id: MachineId }>`
    update operation set ready_at = greatest(portal_now(), ended_at), closed_at = portal_now()
    where id = ${id} and closed_at is null returning machine_id as id`.execute(tx)

export const closeUnansweredOperations = (tx: Tx, reasonForWindows: string, reasonForLinux: string) =>
  sql<{ id: MachineId }>`
    update operation o set closed_at = portal_now(),
      reason = case m.os when 'Windows' then ${reasonForWindows} else ${reasonForLinux} end
    from machine m
    where m.id = o.machine_id and o.id in (
      select id from operation
      where closed_at is null and kind in ('create', 'start', 'restart', 'reset')
        and ended_at < portal_now() - make_interval(mins => ${sql.lit(ANSWER_MINUTES)})
      for update skip locked) returning m.id`.execute(tx)

export const selectUsualDuration = (
  db: Db,
  kind: string,
  size: string,
  location: string,
  until: 'ended_at' | 'ready_at' | undefined,
) => {
  const group = sql`select ${kind}::text as kind, ${size}::text as size_name, ${location}::text as location`
  return sql<UsualDuration>`select median, p90 from ${durationsByGroup(group, until)} as usual`.execute(db)
}

export const updateOperations = (tx: Tx, steps: string) =>
  sql`
    with step as (
      select o.id, s.*,
        -- A reset consists of a deletion and a creation.
        s.accepted = o.kind or (o.kind = 'reset' and s.accepted = 'create') as taken,
        case when s.settled = 'running' then o.kind in ('create', 'start', 'restart', 'reset')
          when s.settled = 'stopped' then o.kind = 'stop' when s.settled = 'gone' then o.kind = 'delete' else false end as done
      from operation o join jsonb_to_recordset(${steps}::jsonb) as s (machine uuid, reason text,
        accepted text, "sentAt" timestamptz, "acceptedAt" timestamptz, settled text, at timestamptz, dropped boolean)
        on o.machine_id = s.machine
      where o.closed_at is null and o.kind <> 'capture')
    update operation o set
      sent_at = case when l.taken then coalesce(l."sentAt", o.sent_at, l."acceptedAt") else o.sent_at end,
      accepted_at = case when l.taken then l."acceptedAt" else o.accepted_at end,
      ended_at = case when l.done and not l.dropped then coalesce(o.ended_at, greatest(l.at, o.asked_at))
        else o.ended_at end,
      closed_at = case when l.dropped or l.settled = 'gone' or (l.done and o.kind = 'stop')
        or (o.ended_at is not null and l.settled is distinct from 'running') then portal_now() end,
      reason = case when l.dropped or (l.settled = 'gone' and not l.done) then l.reason end
    from step l where o.id = l.id and (l.taken or l.done or l.dropped or l.settled = 'gone' or o.ended_at is not null)`.execute(
    tx,
  )
