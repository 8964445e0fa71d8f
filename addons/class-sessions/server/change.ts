import { sql } from 'kysely'
import { Temporal } from 'temporal-polyfill'
import type { BodyOf } from '@trainyard/platform/contract/call.ts'
import type { classSession } from '../contract/class-session.ts'
import type { ClassSessionScope } from '../contract/class-session-words.ts'
import type { ClassSessionId, TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import { conflict, notFound, Problem } from '@trainyard/platform/server/core/errors.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { leadOf } from './ready/lead-time.ts'
import { timeZoneAndNow } from '@trainyard/schedules/server/create.ts'
import { lockTrainingToPlan, type TrainingInScope } from '@trainyard/trainings/server/scope.ts'
import { hhmm } from '@trainyard/trainings/server/window.ts'
import { adaptingWindow } from './access.ts'
import { occurrenceOn, type Upcoming } from './occurrences.ts'
import { formatDate, planClassSessions, refuseBlocked } from './plan.ts'
import {
  selectSessionsOfSeriesFrom,
  removeSessionRows,
  endSeries,
  endRecurrences,
  selectSession,
  type Found,
} from './queries.ts'
import { insertRows, removeRows } from './rows.ts'

type Change = BodyOf<typeof classSession.change>

/** Columns of a session whose times changed, or which is skipped or takes place again. Calendars compare them. */
const REVISED = { revision: sql<number>`revision + 1`, revised_at: sql<Date>`portal_now()` }

const STARTED = 'This session has started. You can only change its end.'
const OVER = 'This session is over and can no longer be changed.'

/** @throws Problem notFound; conflict if the session has ended or the change collides with other plans */
export async function changeSession(tx: Tx, actor: Actor, body: Change): Promise<string> {
  const training = await lockTrainingToPlan(tx, actor, body)
  const session = await sessionIn(tx, training.id, body.sessionId)
  return adaptingWindow(tx, training.id, () =>
    body.scope === 'one'
      ? changeOne(tx, actor, training, { session, body })
      : changeFollowing(tx, actor, training, { session, body }),
  )
}

interface Request {
  readonly session: Found
  readonly body: Change
}

async function changeOne(tx: Tx, actor: Actor, training: TrainingInScope, { session, body }: Request): Promise<string> {
  const { upcoming, planner } = await plannerOf(tx, actor, training)
  const { now, timeZone } = upcoming
  const hasStarted = session.starts_at <= now && session.skipped_at === null
  if (session.stops_at <= now) throw conflict(OVER)
  const occurrence = occurrenceOn(body.from, body, timeZone)
  if (hasStarted && occurrence.startsAt.getTime() !== session.starts_at.getTime()) throw conflict(STARTED)
  if (occurrence.stopsAt <= occurrence.startsAt) {
    throw new Problem('invalid', `The clocks skip this time on ${body.from} (${timeZone}).`)
  }
  const next = hasStarted ? occurrence.stopsAt : occurrence.startsAt
  if (next <= now) {
    throw new Problem('invalid', `${body.from} ${hasStarted ? body.stop : body.start} (${timeZone}) is in the past.`)
  }
  const limitsAccess = session.weekdays === null ? body.limitAccess : session.limits_access
  await refuseBlocked(
    tx,
    training.id,
    { ...upcoming, sessions: [occurrence] },
    { limitsAccess, replaced: [session.id] },
  )
  await removeRows(tx, [session.id])
  const isRevised =
    session.skipped_at !== null ||
    occurrence.startsAt.getTime() !== session.starts_at.getTime() ||
    occurrence.stopsAt.getTime() !== session.stops_at.getTime()
  await tx
    .updateTable('class_session')
    .set({
      date: occurrence.date,
      start_time: occurrence.start,
      stop_time: occurrence.stop,
      time_zone: timeZone,
      starts_at: occurrence.startsAt,
      stops_at: occurrence.stopsAt,
      moved: session.weekdays !== null,
      skipped_at: null,
      ...(isRevised && REVISED),
    })
    .where('id', '=', session.id)
    .execute()
  if (session.weekdays === null) {
    await tx
      .updateTable('class_series')
      .set({ limits_access: limitsAccess, from_date: occurrence.date, until_date: occurrence.date })
      .where('id', '=', session.series_id)
      .execute()
  }
  await insertRows(tx, planner, [{ ...occurrence, id: session.id }])
  return `The session is now on ${formatDate(occurrence.date)}, ${occurrence.start} to ${occurrence.stop}.`
}

async function changeFollowing(
  tx: Tx,
  actor: Actor,
  training: TrainingInScope,
  { session, body }: Request,
): Promise<string> {
  const following = await notStartedFrom(tx, session)
  await removeSessions(tx, session, following)
  const { sentence } = await planClassSessions(
    tx,
    { training: training.id, organisation: training.organisationId, by: actor.email },
    {
      rule: { weekdays: body.weekdays, from: body.from, until: body.until, start: body.start, stop: body.stop },
      limitsAccess: body.limitAccess,
      skipsHolidays: body.skipHolidays,
    },
    following,
  )
  return sentence
}

export async function skipSession(
  tx: Tx,
  actor: Actor,
  { sessionId, skipped, ...ref }: BodyOf<typeof classSession.skip>,
): Promise<string> {
  const training = await lockTrainingToPlan(tx, actor, ref)
  const session = await sessionIn(tx, training.id, sessionId)
  const day = formatDate(session.date)
  const { upcoming, planner } = await plannerOf(tx, actor, training)
  if ((session.skipped_at !== null) === skipped) {
    return skipped ? `The session on ${day} is already skipped.` : `The session on ${day} takes place.`
  }
  if (session.starts_at <= upcoming.now) throw conflict(session.stops_at <= upcoming.now ? OVER : STARTED)
  return adaptingWindow(tx, training.id, async () => {
    await tx
      .updateTable('class_session')
      .set({ skipped_at: skipped ? sql<Date>`portal_now()` : null, ...REVISED })
      .where('id', '=', session.id)
      .execute()
      .catch(rethrowOverlap)
    if (skipped) {
      await removeRows(tx, [session.id])
      return `The session on ${day} is skipped. Its machines are not started.`
    }
    const occurrence = {
      date: session.date,
      start: hhmm(session.start_time),
      stop: hhmm(session.stop_time),
      startsAt: session.starts_at,
      stopsAt: session.stops_at,
    }
    await refuseBlocked(
      tx,
      training.id,
      { ...upcoming, sessions: [occurrence] },
      { limitsAccess: session.limits_access, replaced: [session.id] },
    )
    await insertRows(tx, planner, [{ ...occurrence, id: session.id }])
    return `The session on ${day} takes place again.`
  })
}

/** Describes a violation of the trigger `class_session_apart`. The trigger runs before the conflicts are described. */
function rethrowOverlap(error: unknown): never {
  if ((error as { constraint?: string }).constraint === 'class_session_apart') {
    throw conflict('Another session of this training is planned for that time. Change or cancel it first.')
  }
  throw error
}

interface Removal {
  readonly trainingName: string
  readonly organization?: string | undefined
  readonly sessionId: string
  readonly scope: ClassSessionScope
}

export async function cancelSessions(tx: Tx, actor: Actor, { sessionId, scope, ...ref }: Removal): Promise<string> {
  const training = await lockTrainingToPlan(tx, actor, ref)
  const session = await sessionIn(tx, training.id, sessionId, { includesRemoved: true })
  // The call is idempotent: a retry after a lost reply succeeds.
  if (session.removed_at !== null) return `The session on ${formatDate(session.date)} is cancelled.`
  const { now } = await timeZoneAndNow(tx, training.id)
  return adaptingWindow(tx, training.id, async () => {
    if (scope === 'one' && session.starts_at <= now && session.skipped_at === null) {
      throw conflict(session.stops_at <= now ? OVER : STARTED)
    }
    const sessions = scope === 'one' ? [session.id] : await notStartedFrom(tx, session)
    await removeSessions(tx, scope === 'one' ? null : session, sessions)
    return sessions.length === 1
      ? `The session on ${formatDate(session.date)} is cancelled.`
      : `${sessions.length} sessions are cancelled.`
  })
}

/** @throws Problem conflict if all sessions have started */
export async function notStartedFrom(db: Db, from: Pick<Found, 'series_id' | 'starts_at'>): Promise<ClassSessionId[]> {
  const { rows } = await selectSessionsOfSeriesFrom(db, from.series_id, from.starts_at)
  if (rows.length === 0) throw conflict(STARTED)
  return rows.map(({ id }) => id)
}

async function removeSessions(tx: Tx, endsBefore: Found | null, sessions: readonly ClassSessionId[]): Promise<void> {
  await removeRows(tx, sessions)
  await removeSessionRows(tx, sessions)
  if (endsBefore === null) return
  const last = Temporal.PlainDate.from(endsBefore.date).subtract({ days: 1 }).toString()
  await endSeries(tx, last, endsBefore.series_id)
  await endRecurrences(tx, last, sessions)
}

/** @throws Problem notFound, also for a session of another training */
export async function sessionIn(
  db: Db | Tx,
  training: TrainingId,
  id: string,
  { includesRemoved = false } = {},
): Promise<Found> {
  const { rows } = await selectSession(db, id.toLowerCase(), training)
  const [found] = rows
  if (found === undefined || (found.removed_at !== null && !includesRemoved)) throw notFound('session')
  return found
}

async function plannerOf(tx: Tx, actor: Actor, { id, organisationId }: TrainingInScope) {
  const { time_zone: timeZone, now } = await timeZoneAndNow(tx, id)
  const { seconds, machines } = await leadOf(tx, { training: id, order: null })
  const leadSeconds = machines === 0 ? 0 : seconds
  const upcoming: Upcoming = { sessions: [], onHolidays: [], skippedByClocks: [], timeZone, now, machines, leadSeconds }
  return {
    upcoming,
    planner: { training: id, organisation: organisationId, by: actor.email, timeZone, now, leadSeconds },
  }
}
