import { Temporal } from 'temporal-polyfill'
import { CLASS_SESSIONS_MAX } from '../contract/class-session-words.ts'
import type { ClassSessionId, OrganisationId, TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import { paise, type Paise } from '@trainyard/platform/contract/words/money.ts'
import { formatWeekdays } from '@trainyard/platform/contract/words/weekdays.ts'
import { conflict, Problem } from '@trainyard/platform/server/core/errors.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { paiseSecondsBetween, type TrainingRate } from '@trainyard/usage/server/prices.ts'
import { leadOf } from './ready/lead-time.ts'
import { refuseTooManyPlanned, refuseWithoutMachines, timeZoneAndNow } from '@trainyard/schedules/server/create.ts'
import { sessionConflicts } from './conflicts.ts'
import { type Occurrence, occurrencesOf, type SessionRule, type Upcoming } from './occurrences.ts'
import { insertRecurrences, insertRows, type Planner } from './rows.ts'

interface Of {
  readonly training: TrainingId
  readonly organisation: OrganisationId
}

export interface SessionPlan {
  readonly rule: SessionRule
  readonly limitsAccess: boolean
  readonly skipsHolidays: boolean
  /** Start of the session in progress that the plan changes. A session can be changed until it ends. */
  readonly startedAt?: Date | null
}

/** @throws Problem invalid if the rule ends before it starts, spans more than a year, or has no future session */
export async function upcomingClassSessions(
  db: Db,
  { training, organisation }: Of,
  plan: SessionPlan,
): Promise<Upcoming> {
  const { rule, skipsHolidays, startedAt = null } = plan
  const { time_zone: timeZone, now } = await timeZoneAndNow(db, training)
  const span = Temporal.PlainDate.from(rule.from).until(rule.until, { largestUnit: 'days' }).days
  if (rule.weekdays !== null && span < 0) throw new Problem('invalid', 'Until must not be before From.')
  if (rule.weekdays !== null && span > CLASS_SESSIONS_MAX) {
    throw new Problem('invalid', `Until must be at most ${CLASS_SESSIONS_MAX} days after From.`)
  }
  const holidays = rule.weekdays !== null && skipsHolidays ? await holidaysBetween(db, organisation, rule) : []
  const { sessions, ...left } = occurrencesOf(rule, timeZone, new Set(holidays.map(({ date }) => date)))
  const isInProgress = ({ startsAt, stopsAt }: Occurrence) =>
    startsAt.getTime() === startedAt?.getTime() && stopsAt > now
  const ahead = sessions.filter((session) => session.startsAt > now || isInProgress(session))
  if (ahead.length === 0) throw new Problem('invalid', noneAhead(rule, sessions, timeZone))
  const { seconds, machines } = await leadOf(db, { training, order: null })
  return { ...left, sessions: ahead, timeZone, now, machines, leadSeconds: machines === 0 ? 0 : seconds }
}

function noneAhead({ weekdays, from, start }: SessionRule, sessions: readonly Occurrence[], timeZone: string): string {
  if (weekdays !== null) return 'There is no such day left between these dates.'
  return sessions.length > 0
    ? `${from} ${start} (${timeZone}) is in the past.`
    : `The clocks skip this time on ${from} (${timeZone}).`
}

export async function holidaysBetween(
  db: Db,
  organisation: OrganisationId,
  { from, until }: { readonly from: string; readonly until: string },
): Promise<{ date: string; name: string }[]> {
  return db
    .selectFrom('holiday')
    .select(['date', 'name'])
    .where('organisation_id', '=', organisation)
    .where('date', '>=', from)
    .where('date', '<=', until)
    .orderBy('date')
    .execute()
}

/**
 * @throws Problem conflict if a session would overlap another session, or if an opposite event is planned for the same
 * minute
 */
export async function planClassSessions(
  tx: Tx,
  of: Of & { readonly by: string },
  plan: SessionPlan,
  replaced: readonly ClassSessionId[] = [],
): Promise<{ readonly count: number; readonly sentence: string }> {
  const { training, organisation, by } = of
  const { rule, limitsAccess } = plan
  await refuseWithoutMachines(tx, training)
  const upcoming = await upcomingClassSessions(tx, of, plan)
  await refuseBlocked(tx, training, upcoming, { limitsAccess, replaced })
  const { id: series } = await tx
    .insertInto('class_series')
    .values({
      training_id: training,
      organisation_id: organisation,
      weekdays: rule.weekdays === null ? null : rule.weekdays.toSorted((a, b) => a - b),
      from_date: rule.from,
      until_date: rule.weekdays === null ? rule.from : rule.until,
      limits_access: limitsAccess,
      created_by: by,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const stored = await tx
    .insertInto('class_session')
    .values(
      upcoming.sessions.map(({ date, start, stop, startsAt, stopsAt }) => ({
        series_id: series,
        training_id: training,
        organisation_id: organisation,
        date,
        start_time: start,
        stop_time: stop,
        time_zone: upcoming.timeZone,
        starts_at: startsAt,
        stops_at: stopsAt,
      })),
    )
    .returning(['id', 'date'])
    .execute()
  const ids = new Map(stored.map(({ id, date }) => [date, id]))
  const planner: Planner = { ...of, ...upcoming }
  const recurrences = await insertRecurrences(tx, planner, rule)
  await insertRows(
    tx,
    planner,
    upcoming.sessions.map((session) => ({ ...session, id: ids.get(session.date)! })),
    recurrences,
  )
  await refuseTooManyPlanned(tx, training)
  const count = upcoming.sessions.length
  const when = rule.weekdays === null ? formatDate(rule.from) : formatWeekdays(rule.weekdays)
  return {
    count,
    sentence: `${count === 1 ? 'One session is' : `${count} sessions are`} planned: ${when}, ${rule.start} to ${rule.stop}.`,
  }
}

export async function refuseBlocked(
  db: Db,
  training: TrainingId,
  upcoming: Upcoming,
  options: Parameters<typeof sessionConflicts>[3],
): Promise<void> {
  const blocking = (await sessionConflicts(db, training, upcoming, options)).find(({ blocks }) => blocks)
  if (blocking !== undefined) throw conflict(blocking.sentence)
}

/** Returns the cost of sessions. Machines run from the time at which they are started until the end of the session. */
export const costOf = (
  { currentPaisePerHour, steps }: TrainingRate,
  sessions: readonly { readonly startsAt: Date; readonly stopsAt: Date }[],
  leadSeconds: number,
): Paise =>
  paise(
    Math.round(
      sessions.reduce(
        (sum, { startsAt, stopsAt }) =>
          sum +
          paiseSecondsBetween(currentPaisePerHour, steps, new Date(startsAt.getTime() - leadSeconds * 1000), stopsAt),
        0,
      ) / 3600,
    ),
  )

export const formatDate = (date: string): string => date.split('-').toReversed().join('/')
