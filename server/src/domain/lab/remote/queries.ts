import { sql } from 'kysely'
import { ACTIVE_PAUSE_MINUTES } from '@trainyard/contract/words/attendance.ts'
import type { MachineId, UserId, TrainingId } from '@trainyard/contract/words/ids.ts'
import { REMOTE_MESSAGES } from '@trainyard/contract/words/remote.ts'
import type { SecondFactorRule } from '@trainyard/contract/words/sign-in.ts'
import { WATCH_REFUSED_SECONDS } from '@trainyard/contract/words/watching.ts'
import { isRestricted } from '../../../core/second-factor-duty.ts'
import { sessionIsValid } from '../../../core/valid-session.ts'
import type { Db, Tx } from '../../../db/schema.ts'
import type { PrivateNetwork } from '../../../providers/machine-address.ts'
import { sqlOf } from '../../../core/events.ts'
import { routeTo } from '../operation/route.ts'
import { ABANDONED_SECONDS } from './open.ts'
import { markActive } from '../machine/active-minutes.ts'

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
  sql<{ id: MachineId; address: string; network: PrivateNetwork | null }>`
    select id, public_ip as address, ${sqlOf(routeTo, undefined)} as network from machine
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
    insert into remote_opening (ticket_hash, user_id, machine_id, organisation_id, kind, vm_size, location, milliseconds)
    select t.token_hash, t.user_id, m.id, m.organisation_id, ${kind}, m.vm_size, m.location, ${milliseconds}
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
