import { sql } from 'kysely'
import type { TrainingId, UserId } from '@trainyard/contract/words/ids.ts'
import { portalNow } from '../../../db/client.ts'
import type { Db } from '../../../db/schema.ts'
import type { ClassesOfInvited, InvitedClass } from '../../people/user/invitation-email.ts'
import { type FeedClassSession, icsOf } from './feed.ts'

const CLASSES_MAX = 400

interface ClassRow {
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

/** Returns the classes that a user attends or leads, for their invitation. @param url address of the portal, for events */
export const classesOfInvited =
  (url: string): ClassesOfInvited =>
  async (db, user) => {
    const rows = await classRows(db, user)
    const sessions = await upcomingClassSessions(db, rows)
    const { time_zone: timeZone } = await db
      .selectFrom('portal_user')
      .leftJoin('organisation', 'organisation.id', 'portal_user.organisation_id')
      .select(sql<string>`coalesce(portal_user.time_zone, organisation.time_zone, 'UTC')`.as('time_zone'))
      .where('portal_user.id', '=', user)
      .executeTakeFirstOrThrow()
    return {
      timeZone,
      classes: rows.map(classOf),
      calendar:
        sessions.length === 0
          ? null
          : icsOf({ name: rows.map(({ training }) => training).join(', '), url, now: await portalNow(db), sessions }),
    }
  }

function classOf(row: ClassRow): InvitedClass {
  const startsAt = earliest(row.session_starts_at, row.ready_at)
  return {
    training: row.training,
    leads: row.leads,
    instructors: row.instructors.map(({ email, name }) => name ?? email),
    help: row.help,
    startsAt,
    stopsAt: startsAt?.getTime() === row.session_starts_at?.getTime() ? row.session_stops_at : null,
    readyAt: row.leads || row.is_ready ? null : row.ready_at,
  }
}

const earliest = (a: Date | null, b: Date | null): Date | null => (a === null || (b !== null && b < a) ? b : a)

async function classRows(db: Db, user: UserId): Promise<readonly ClassRow[]> {
  const { rows } = await sql<ClassRow>`
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
  return rows
}

/** Returns upcoming sessions. A class without sessions has one event, at its ready time. */
async function upcomingClassSessions(db: Db, classes: readonly ClassRow[]): Promise<FeedClassSession[]> {
  const { rows } = await sql<FeedClassSession>`
    select s.id, t.name as training, s.starts_at as "startsAt", s.stops_at as "stopsAt", false as skipped,
      s.revision, s.revised_at as "revisedAt"
    from class_session s join training t on t.id = s.training_id
    where s.training_id = any(${classes.map(({ training_id }) => training_id)}::uuid[]) and s.removed_at is null
      and s.skipped_at is null and s.stops_at > portal_now()
    order by s.starts_at limit ${CLASSES_MAX}`.execute(db)
  const readyTimes = classes.flatMap(({ training, session_starts_at, ready_id, ready_at, ready_planned_at }) =>
    session_starts_at !== null || ready_id === null || ready_at === null || ready_planned_at === null
      ? []
      : {
          id: ready_id,
          training,
          startsAt: ready_at,
          stopsAt: null,
          skipped: false,
          // A ready time is replaced, not changed.
          revision: 0,
          revisedAt: ready_planned_at,
        },
  )
  return [...rows, ...readyTimes]
}
