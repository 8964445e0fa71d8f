import { sql } from 'kysely'
import type { UserId } from '@trainyard/platform/contract/words/ids.ts'
import { givenNameFirst } from '@trainyard/platform/contract/words/person-name.ts'
import { portalNow } from '@trainyard/platform/server/db/client.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import type { InvitedClass, InvitedClasses } from '@trainyard/users/server/invitation-email.ts'
import { type FeedClassSession, icsOf } from '@trainyard/trainings/server/calendar.ts'
import { selectInvitedClasses, selectUpcomingSessions, type ClassRow } from './queries.ts'

/** Returns the classes that a user attends or leads, for their invitation. */
export async function classesOfInvited(
  db: Db,
  { user, publicUrl: url }: { readonly user: UserId; readonly publicUrl: string },
): Promise<InvitedClasses> {
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
  const startsAt = beginningOf(row)
  return {
    training: row.training,
    leads: row.leads,
    instructors: row.instructors.map(({ email, name }) => (name === null ? email : givenNameFirst(name))),
    help: row.help,
    startsAt,
    stopsAt: startsAt?.getTime() === row.session_starts_at?.getTime() ? row.session_stops_at : null,
    readyAt: row.leads || row.is_ready ? null : row.ready_at,
  }
}

/** Maximum time between a ready time and the session for which the machines are ready, in ms. */
const BEFORE_SESSION_MS = 12 * 60 * 60 * 1_000

/** Returns the start of the next session, or an earlier ready time that belongs to no session. */
function beginningOf({ session_starts_at: session, ready_at: ready }: ClassRow): Date | null {
  if (session === null || ready === null) return session ?? ready
  return session.getTime() - ready.getTime() > BEFORE_SESSION_MS ? ready : session
}

async function classRows(db: Db, user: UserId): Promise<readonly ClassRow[]> {
  const { rows } = await selectInvitedClasses(db, user)
  return rows
}

/** Returns upcoming sessions. A class without sessions has one event, at its ready time. */
async function upcomingClassSessions(db: Db, classes: readonly ClassRow[]): Promise<FeedClassSession[]> {
  const { rows } = await selectUpcomingSessions(
    db,
    classes.map(({ training_id }) => training_id),
  )
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
