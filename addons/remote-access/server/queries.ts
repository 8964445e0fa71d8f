import { sql, type RawBuilder } from 'kysely'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { remote as remoteCalls } from '../contract/remote.ts'
import type { MachineId, UserId, TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import { ACTIVE_PAUSE_MINUTES, REMOTE_MESSAGES } from '../contract/remote-words.ts'
import type { SecondFactorRule } from '@trainyard/platform/contract/words/sign-in.ts'
import { WATCH_REFUSED_SECONDS } from '../contract/watching.ts'
import { isRestricted } from '@trainyard/users/server/restricted.ts'
import { sessionIsValid } from '@trainyard/users/server/valid-session.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import type { PrivateNetwork } from '@trainyard/templates/server/machine-address.ts'
import { sqlOf } from '@trainyard/platform/server/core/events.ts'
import { routeTo } from '@trainyard/machines/server/operation/route.ts'
import { ABANDONED_SECONDS } from './open.ts'
import type { Openings } from '@trainyard/machines/server/http.ts'
import { markActive } from './active-minutes.ts'

const IS_ABANDONED = sql`closed_at is null and seen_at < portal_now() - make_interval(secs => ${ABANDONED_SECONDS})`

/**
 * Number of machines to which the task connects concurrently. If a machine has no key after an hour, its first
 * connection pins the key instead.
 */
const AT_ONCE = 20

const EVERY_SECONDS = 15

/** Maximum time in milliseconds from the user's click to the creation of the ticket. */
const BEFORE_TICKET_MS = 10_000

const REPORT_WITHIN_SECONDS = 130

export interface OwnScreen {
  readonly id: string
  readonly heldAt: string | null
}

const ofLearner = sql`from remote_session r join machine m on m.id = r.machine_id and m.email = r.email
  where r.closed_at is null and r.kind <> 'ssh' and r.seen_at > portal_now() - make_interval(secs => ${ABANDONED_SECONDS})`

const last = sql`order by r.opened_at desc limit 1`

/**
 * Seconds after the end of a terminal at which its open watches are closed here, because their process must have died.
 */
const ABANDONED_WATCH_SECONDS = 30

export const updateSeen = (db: Db, terminals: readonly string[]) =>
  sql`update remote_session set seen_at = portal_now()
    where id = any(${terminals}::uuid[]) and closed_at is null`.execute(db)

export const closeAbandonedSessions = (tx: Tx, ids: readonly string[] | null) =>
  sql<{ id: MachineId }>`
    with closed as (
      update remote_session set closed_at = portal_now(), ended = ${REMOTE_MESSAGES.portalRestarting}
      where ${IS_ABANDONED} and (${ids}::uuid[] is null or id = any(${ids}::uuid[]))
      returning id, machine_id, organisation_id, ended),
    audited as (
      insert into audit (request_id, call, organisation_id, detail)
      select closed.id::text, 'remote.close', closed.organisation_id,
        jsonb_build_object('machine', machine.name, 'terminal', closed.id, 'ended', closed.ended)
      from closed join machine on machine.id = closed.machine_id)
    select machine_id as id from closed`.execute(tx)

export const selectAbandonedSessions = (db: Db) =>
  sql<{ id: string }>`select id from remote_session where ${IS_ABANDONED}`.execute(db)

export const selectMachinesWithoutKey = (db: Db) =>
  sql<{
    id: MachineId
    name: string
    provider: string
    group: string
    address: string
    network: PrivateNetwork | null
  }>`
    select id, name, provider, place_group as "group", public_ip as address, ${sqlOf(routeTo, undefined)} as network from machine
    where host_key is null and guacamole and os = 'Linux' and terminated_at is null
      and first_seen_at > portal_now() - interval '1 hour' and observed = 'running' and public_ip is not null
    -- In turn by organisation, so that machines that do not answer delay only those of their organisation.
    order by row_number() over (partition by organisation_id order by random()), random() limit ${AT_ONCE}`.execute(db)

export const upsertInput = (tx: Tx, machines: readonly MachineId[]) =>
  sql<{ id: MachineId }>`
    insert into machine_activity as a (machine_id, organisation_id, input_at, active_minutes, active_at)
    select id, organisation_id, portal_now(), 1, date_trunc('minute', portal_now()) from machine where id = any(${machines}::uuid[]) order by id
    on conflict (machine_id) do update set input_at = excluded.input_at, warned_at = null, stops_at = null,
      ${markActive(sql`excluded.input_at`)}
    where a.input_at is null or a.stops_at is not null
      or a.input_at < excluded.input_at - make_interval(secs => ${EVERY_SECONDS})
    returning machine_id as id`.execute(tx)

export const recordInputStretches = (db: Db, sessions: readonly string[]) =>
  sql`
    with last as (
      select s.id, s.organisation_id, i.began_at, i.ended_at from remote_session s
      left join lateral (select began_at, ended_at from remote_input
        where remote_session_id = s.id order by began_at desc limit 1) as i on true
      where s.id = any(${sessions}::uuid[])
    ), extended as (
      update remote_input i set ended_at = portal_now() from last
      where i.remote_session_id = last.id and i.began_at = last.began_at
        and last.ended_at between portal_now() - make_interval(mins => ${ACTIVE_PAUSE_MINUTES})
          and portal_now() - make_interval(secs => ${EVERY_SECONDS}))
    insert into remote_input (remote_session_id, organisation_id, began_at, ended_at)
    select id, organisation_id, portal_now(), portal_now() from last
    where ended_at is null or ended_at < portal_now() - make_interval(mins => ${ACTIVE_PAUSE_MINUTES})
    on conflict do nothing`.execute(db)

export const isPossibleOpening = (
  tx: Tx,
  input: {
    readonly milliseconds: number
    readonly hash: Buffer
    readonly sessionHash: Buffer
    readonly actor: UserId
    readonly vmName: string
    readonly kind: string
  },
) =>
  sql<{ possible: boolean }>`
    select ${input.milliseconds} between extract(epoch from t.used_at - t.created_at) * 1000
      and extract(epoch from portal_now() - t.created_at) * 1000 + ${BEFORE_TICKET_MS} as possible
    from remote_ticket t join machine m on m.id = t.machine_id
    where t.token_hash = ${input.hash} and t.session_hash = ${input.sessionHash} and t.user_id = ${input.actor} and m.name = ${input.vmName}
      and t.used_at > portal_now() - make_interval(secs => ${REPORT_WITHIN_SECONDS})
      and (m.os = 'Linux' or ${input.kind} = 'desktop')`.execute(tx)

export const countOpeningsToday = (tx: Tx, actor: UserId) =>
  sql<{ stored: number }>`
    select count(*)::int as stored from remote_opening
    where user_id = ${actor} and measured_at > portal_now() - interval '1 day'`.execute(tx)

export const insertOpening = (tx: Tx, kind: string, milliseconds: number, hash: Buffer) =>
  sql`
    insert into remote_opening (ticket_hash, user_id, machine_id, organisation_id, kind, size_name, location, milliseconds)
    select t.token_hash, t.user_id, m.id, m.organisation_id, ${kind}, m.size_name, m.location, ${milliseconds}
    from remote_ticket t join machine m on m.id = t.machine_id where t.token_hash = ${hash}
    on conflict do nothing`.execute(tx)

export const selectScreenOfMachine = (db: Db | Tx, machine: MachineId) =>
  sql<OwnScreen>`
    select r.id, r.held_at as "heldAt" ${ofLearner} and m.id = ${machine} ${last}`.execute(db)

export const selectScreenOfName = (db: Db, machine: string) =>
  sql<OwnScreen>`
    select r.id, r.held_at as "heldAt" ${ofLearner} and m.name = ${machine} ${last}`.execute(db)

export const lockUser = (tx: Tx, actor: UserId) =>
  sql`select from portal_user where id = ${actor} for no key update`.execute(tx)

export const selectUnmovedTransfers = (tx: Tx) =>
  sql<{ id: string }>`select id from file_transfer
    where ended_at is null and moved_at < portal_now() - interval '1 day' limit 1000`.execute(tx)

export const deleteTransfers = (tx: Tx) =>
  sql`delete from file_transfer where ended_at < portal_now() - interval '30 days'`.execute(tx)

export const selectWatchEndReasons = (db: Db, rule: SecondFactorRule, watches: readonly string[]) => {
  const signedIn = sql`(coalesce(${sessionIsValid('s')}, false) and not ${isRestricted('u', rule)})`
  return sql<{ id: string; machine: string; signedIn: boolean; closed: boolean }>`
      select w.id, m.name as machine, w.closed_at is not null as closed,
        ${signedIn} as "signedIn"
      from remote_watch w
      join remote_session r on r.id = w.terminal_id
      join machine m on m.id = r.machine_id
      left join session s on s.token_hash = w.session_hash
      left join portal_user u on u.id = s.user_id
      where w.id = any(${watches}::uuid[]) and (w.closed_at is not null or not ${signedIn}
        or not coalesce(u.role = 'superadmin' or (u.role = 'admin' and u.organisation_id = w.organisation_id)
          or exists (select from training_instructor i where i.training_id = m.training_id and i.user_id = u.id), false))
    `.execute(db)
}

export const closeWatches = (db: Db) =>
  sql`
    with closed as (
      update remote_watch w set closed_at = portal_now(), ended = ${REMOTE_MESSAGES.portalRestarting}
      from remote_session r where r.id = w.terminal_id and w.closed_at is null
        and r.closed_at < portal_now() - make_interval(secs => ${ABANDONED_WATCH_SECONDS})
      returning w.id, w.organisation_id, w.email, w.terminal_id, r.machine_id,
        coalesce(round(extract(epoch from r.closed_at - w.began_at)), 0)::int as seconds)
    insert into audit (request_id, call, organisation_id, detail)
    select closed.id::text, 'remote.watchEnd', closed.organisation_id, jsonb_build_object('machine', machine.name,
      'learner', machine.email, 'terminal', closed.terminal_id, 'watch', closed.id, 'watcher', closed.email,
      'seconds', closed.seconds, 'ended', ${REMOTE_MESSAGES.portalRestarting}::text)
    from closed join machine on machine.id = closed.machine_id`.execute(db)

export const selectEarlierWatches = (
  tx: Tx,
  input: {
    readonly email: string
    readonly refused: string
    readonly consentWithdrawn: string
    readonly terminal: string
    readonly training: TrainingId
  },
) =>
  sql<{ open: number; mine: number; refused: boolean; unasked: boolean }>`
    select count(*) filter (where w.closed_at is null)::int as open,
      count(*) filter (where w.closed_at is null and w.email = ${input.email})::int as mine,
      coalesce(bool_or(w.email = ${input.email} and w.ended in (${input.refused},
        ${input.consentWithdrawn})
        and w.closed_at > portal_now() - make_interval(secs => ${WATCH_REFUSED_SECONDS})), false) as refused,
      -- The stricter value of the current setting and of the setting that was shown to the learner.
      (select r.told_watched and training.watched_without_asking from remote_session r, training
        where r.id = ${input.terminal} and training.id = ${input.training}) as unasked
    from remote_watch w where w.terminal_id = ${input.terminal}`.execute(tx)

export const closeWatch = (tx: Tx, ended: string, watch: string) =>
  sql<{ seconds: number }>`
    update remote_watch set closed_at = portal_now(), ended = ${ended}
    where id = ${watch} and closed_at is null
    returning coalesce(round(extract(epoch from portal_now() - began_at)), 0)::int as seconds`.execute(tx)

export type Measured = ReplyOf<typeof remoteCalls.openings>['measured']

const OPENING_DAYS = 30

const MAX_PER_USER = 5

/** Maximum number of recent rows read per group, before the rows of each user are limited to MAX_PER_USER. */
const MAX_SCANNED = 1_000

const MAX_COUNTED = 200

/**
 * SQL: count, median and 95th percentile of the time that desktops and terminals took to open, per group. Browsers may
 * report wrong times, so each user contributes at most MAX_PER_USER rows.
 * @param groups kind, size_name, location
 */
const openingTimesByGroup = (groups: RawBuilder<unknown>) => sql`(
  select g.kind, g.size_name, g.location, u.count, u.median, u.p95 from (${groups}) as g
  cross join lateral (
    select count(*)::int as count, percentile_cont(0.5) within group (order by milliseconds)::float8 as median,
      percentile_cont(0.95) within group (order by milliseconds)::float8 as p95
    from (
      select milliseconds from (
        select milliseconds, measured_at,
          row_number() over (partition by user_id order by measured_at desc) as of_person
        from (select user_id, milliseconds, measured_at from remote_opening o
          where o.kind = g.kind and o.size_name = g.size_name and o.location = g.location
            and o.measured_at > portal_now() - make_interval(days => ${sql.lit(OPENING_DAYS)})
          order by o.measured_at desc limit ${sql.lit(MAX_SCANNED)}) latest) numbered
      where of_person <= ${sql.lit(MAX_PER_USER)} order by measured_at desc limit ${sql.lit(MAX_COUNTED)}) counted) as u
  where u.count > 0)`

const MAX_GROUPS = 200

/** SQL: all groups. The query is a loose index scan, because there are many rows but few groups. */
const EVERY_GROUP = sql`
  with recursive found as (
    (select kind, size_name, location from remote_opening order by kind, size_name, location limit 1)
    union all
    select more.* from found, lateral (
      select kind, size_name, location from remote_opening o
      where (o.kind, o.size_name, o.location) > (found.kind, found.size_name, found.location)
      order by kind, size_name, location limit 1) as more)
  select * from found limit ${sql.lit(MAX_GROUPS)}`

export type OpeningRow = Omit<Openings[number], 'at' | 'usual'> & { at: Date; median: number; p95: number }

const MAX_SHOWN = 20

const RETENTION_DAYS = 90

export const selectOpeningTimes = (db: Db) =>
  sql<Measured[number]>`
    select kind, size_name as size, location, count, median, p95 from ${openingTimesByGroup(EVERY_GROUP)} as usual
    order by location, size_name, kind desc`.execute(db)

export const selectOpenings = (db: Db, machine: MachineId) =>
  sql<OpeningRow>`
    with shown as materialized (
      select kind, size_name, location, milliseconds, measured_at from remote_opening
      where machine_id = ${machine} and measured_at > portal_now() - make_interval(days => ${sql.lit(OPENING_DAYS)})
      order by measured_at desc limit ${sql.lit(MAX_SHOWN)})
    select s.kind, s.measured_at as at, s.milliseconds, u.median, u.p95 from shown s
    join ${openingTimesByGroup(sql`select distinct kind, size_name, location from shown`)} as u using (kind, size_name, location)
    order by s.measured_at desc`.execute(db)

export const deleteOpenings = (tx: Tx) =>
  sql`delete from remote_opening
    where measured_at < portal_now() - make_interval(days => ${sql.lit(RETENTION_DAYS)})`.execute(tx)
