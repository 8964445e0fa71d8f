import type { OrganisationId, TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import { rupeesOfPaise } from '@trainyard/platform/contract/words/money.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { leadOf } from './ready/lead-time.ts'
import { endOfDay } from '@trainyard/usage/server/outlook.ts'
import { selectPowerChanges } from '@trainyard/schedules/server/queries.ts'
import { timeZoneAndNow } from '@trainyard/schedules/server/create.ts'
import { trainingRate } from '@trainyard/usage/server/prices.ts'
import { costOf, holidaysBetween } from './plan.ts'
import { selectSessionRows, selectOtherEvents, type ListedClassSession, type Event, type Listed } from './queries.ts'

interface Span {
  readonly from: string
  readonly until: string
}

interface Subject {
  readonly training: TrainingId
  readonly organisation: OrganisationId
  readonly showsCost: boolean
}

export async function sessionsBetween(
  db: Db,
  { training, organisation, showsCost }: Subject,
  span: Span,
): Promise<Listed> {
  const { time_zone: timeZone, now } = await timeZoneAndNow(db, training)
  const [{ seconds, machines }, rate, rows, events, holidays] = [
    await leadOf(db, { training, order: null }),
    await trainingRate(db, { training, organisation }),
    await sessionRows(db, training, span),
    await otherEvents(db, training, span),
    await holidaysBetween(db, organisation, span),
  ]
  const { ends_on } = await db
    .selectFrom('training')
    .select('ends_on')
    .where('id', '=', training)
    .executeTakeFirstOrThrow()
  return {
    timeZone,
    today: now.toLocaleDateString('sv-SE', { timeZone }),
    endsOn: ends_on,
    machines,
    sessions: rows.map((row) => ({
      _id: row.id,
      date: row.date,
      start: row.start,
      stop: row.stop,
      startsAt: row.starts_at.toISOString(),
      stopsAt: row.stops_at.toISOString(),
      weekly: row.weekdays === null ? null : { weekdays: row.weekdays, until: row.until },
      limitsAccess: row.limits_access,
      skipped: row.skipped,
      moved: row.moved,
      ready: row.ready ?? 'none',
      powerOn: row.power_on ?? 'none',
      shutDown: row.shut_down ?? 'none',
      holiday: row.holiday,
      ...(showsCost && {
        cost: rupeesOfPaise(costOf(rate, [{ startsAt: row.starts_at, stopsAt: row.stops_at }], seconds)),
      }),
    })),
    events,
    holidays,
  }
}

/**
 * Returns the rows of sessions. Rows are found by their time, so that an event that a user planned for the same minute
 * is included.
 */
async function sessionRows(
  db: Db,
  training: TrainingId,
  { from, until }: Span,
): Promise<readonly ListedClassSession[]> {
  const { rows } = await selectSessionRows(db, training, from, until)
  return rows
}

async function otherEvents(db: Db, training: TrainingId, { from, until }: Span): Promise<Event[]> {
  const { rows } = await selectOtherEvents(db, training, from, until)
  return rows
}

/**
 * Returns the times at which machines run for sessions and for times of readiness, including the time that they need to
 * become ready. What is ready without a session runs until the next shut down, or the end of its day.
 */
export async function sessionTimes(
  db: Db,
  { training, now }: { readonly training: TrainingId; readonly now: Date },
): Promise<{ from: Date; to: Date }[]> {
  const sessions = await db
    .selectFrom('class_session')
    .select(['starts_at', 'stops_at'])
    .where('training_id', '=', training)
    .where('removed_at', 'is', null)
    .where('skipped_at', 'is', null)
    .where('stops_at', '>', now)
    .execute()
  const ready = await db
    .selectFrom('ready_by')
    .select(['ready_at', 'time_zone'])
    .where('training_id', '=', training)
    .where('class_session_id', 'is', null)
    .where('removed_at', 'is', null)
    .where('missed', '=', false)
    .where('ready_at', '>', now)
    .execute()
  if (sessions.length + ready.length === 0) return []
  const { seconds } = await leadOf(db, { training, order: null })
  const { rows: changes } = await selectPowerChanges(db, training, now)
  const stops = changes.filter(({ action }) => action === 'Stop')
  const endOf = ({ ready_at, time_zone }: (typeof ready)[number]): Date => {
    const midnight = endOfDay(ready_at, time_zone)
    return stops.find(({ at }) => at > ready_at && at < midnight)?.at ?? midnight
  }
  return [
    ...sessions.map(({ starts_at, stops_at }) => ({ from: starts_at, to: stops_at })),
    ...ready.map((each) => ({ from: each.ready_at, to: endOf(each) })),
  ].map(({ from, to }) => ({ from: new Date(from.getTime() - seconds * 1000), to }))
}
