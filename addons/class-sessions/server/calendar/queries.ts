import { sql } from 'kysely'
import type { TrainingId, UserId, CalendarLinkId, OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { isInstructedBy } from '@trainyard/trainings/server/instructor.ts'
import type { FeedClassSession } from '@trainyard/trainings/server/calendar.ts'

export interface ClassRow {
  readonly training_id: TrainingId
  readonly training: string
  readonly leads: boolean
  readonly is_ready: boolean
  readonly session_starts_at: Date | null
  readonly session_stops_at: Date | null
  readonly ready_id: string | null
  readonly ready_at: Date | null
  readonly ready_planned_at: Date | null
  readonly instructors: readonly { readonly email: string; readonly name: string | null }[]
  readonly help: string | null
}

const CLASSES_MAX = 400

const SESSIONS_MAX = 2_000

export const selectInvitedClasses = (db: Db, user: UserId) =>
  sql<ClassRow>`
    with mine as (
      select m.training_id, m.order_id, m.desired = 'running' and m.observed = 'running' as is_ready
      from machine m join portal_user u on u.id = ${user} and m.email = u.email and m.organisation_id = u.organisation_id
      where m.terminated_at is null and m.desired <> 'gone' and m.withheld_at is null)
    select t.id as training_id, t.name as training, led.user_id is not null as leads,
      exists (select from mine where mine.training_id = t.id and mine.is_ready) as is_ready,
      session.starts_at as session_starts_at, session.stops_at as session_stops_at, ready.id as ready_id, ready.ready_at,
      ready.created_at as ready_planned_at,
      (select coalesce(json_agg(json_build_object('email', i.email, 'name', i.name) order by i.email), '[]')
        from training_instructor l join portal_user i on i.id = l.user_id
        where l.training_id = t.id and l.user_id <> ${user}) as instructors,
      coalesce(o.help_email,
        (select min(i.email) from training_instructor l join portal_user i on i.id = l.user_id
          where l.training_id = t.id and l.user_id <> ${user}),
        (select a.email from machine_order orders
          join portal_user a on a.email = orders.ordered_by and a.organisation_id = t.organisation_id and a.role = 'admin'
          where orders.training_id = t.id order by orders.created_at desc limit 1),
        (select min(email) from portal_user a where a.organisation_id = t.organisation_id and a.role = 'admin')) as help
    from training t join organisation o on o.id = t.organisation_id
    left join training_instructor led on led.training_id = t.id and led.user_id = ${user}
    left join lateral (
      select starts_at, stops_at from class_session s
      where s.training_id = t.id and s.removed_at is null and s.skipped_at is null and s.stops_at > portal_now()
      order by starts_at limit 1) session on true
    left join lateral (
      select id, ready_at, created_at from ready_by r
      where r.training_id = t.id and r.removed_at is null and not r.missed and r.ready_at > portal_now()
        and (r.order_id is null or r.order_id in (select order_id from mine where mine.training_id = t.id)
          or led.user_id is not null)
      order by ready_at limit 1) ready on true
    where t.removed_at is null and (led.user_id is not null or t.id in (select training_id from mine))
    order by least(session.starts_at, ready.ready_at) nulls last, t.name`.execute(db)

export const selectUpcomingSessions = (db: Db, classes: readonly TrainingId[]) =>
  sql<FeedClassSession>`
    select s.id, t.name as training, s.starts_at as "startsAt", s.stops_at as "stopsAt", false as skipped,
      s.revision, s.revised_at as "revisedAt"
    from class_session s join training t on t.id = s.training_id
    where s.training_id = any(${classes}::uuid[]) and s.removed_at is null
      and s.skipped_at is null and s.stops_at > portal_now()
    order by s.starts_at limit ${CLASSES_MAX}`.execute(db)

export const selectLinks = (db: Db, user: UserId) =>
  sql<{
    id: CalendarLinkId
    training: string | null
    organisation: string | null
    created_at: Date
    last_read_at: Date | null
  }>`
    select link.id, training.name as training, organisation.name as organisation, link.created_at, link.last_read_at
    from calendar_link link left join training on training.id = link.training_id
      left join organisation on organisation.id = link.organisation_id
    where link.user_id = ${user} order by training.name nulls first`.execute(db)

export const upsertLink = (
  tx: Tx,
  user: UserId,
  training: TrainingId | null,
  organisationId: OrganisationId | null,
  token: Buffer,
) =>
  sql`
    insert into calendar_link (user_id, training_id, organisation_id, token_hash)
    values (${user}, ${training}, ${organisationId}, ${token})
    on conflict (user_id, training_id) do update
      set token_hash = excluded.token_hash, created_at = portal_now(), last_read_at = null`.execute(tx)

export const deleteLink = (tx: Tx, link: string, user: UserId) =>
  sql`delete from calendar_link where id = ${link} and user_id = ${user}`.execute(tx)

export const selectLinkByToken = (tx: Tx, token: Buffer) =>
  sql<{
    id: CalendarLinkId
    user_id: UserId
    training: string | null
    organisation: string | null
  }>`
    select link.id, link.user_id, training.name as training, organisation.name as organisation
    from calendar_link link left join training on training.id = link.training_id
      left join organisation on organisation.id = link.organisation_id
      join portal_user owner on owner.id = link.user_id and owner.deactivated_at is null
    where link.token_hash = ${token}`.execute(tx)

export const updateLastRead = (tx: Tx, link: CalendarLinkId) =>
  sql`
    update calendar_link set last_read_at = portal_now()
    where id = ${link} and (last_read_at is null or last_read_at < portal_now() - interval '1 hour')`.execute(tx)

export const selectSessions = (
  db: Db,
  input: {
    readonly training: TrainingId | null
    readonly actor: Actor
    readonly from: Date
    readonly until: Date
  },
) => {
  const { role, email, organisation } = input.actor
  // Superadmins get no sessions without a training, because all customers together have too many.
  const ofActor =
    role === 'user'
      ? sql`(${isInstructedBy(input.actor)} or exists (select from machine m where m.training_id = training.id
          and m.email = ${email} and m.terminated_at is null and m.withheld_at is null))
          and training.organisation_id = ${organisation?.id ?? null}`
      : sql`training.organisation_id = ${organisation?.id ?? null}`
  const scope =
    input.training === null
      ? ofActor
      : role === 'superadmin'
        ? sql`training.id = ${input.training}`
        : sql`training.id = ${input.training} and ${ofActor}`
  return sql<FeedClassSession>`
    select s.id, training.name as training, s.starts_at as "startsAt", s.stops_at as "stopsAt",
      s.skipped_at is not null as skipped, s.revision, s.revised_at as "revisedAt"
    from class_session s join training on training.id = s.training_id
    where ${scope} and s.removed_at is null and training.removed_at is null
      and s.stops_at > ${input.from} and s.starts_at < ${input.until}
    order by s.starts_at limit ${SESSIONS_MAX}`.execute(db)
}
