import { type RawBuilder, sql } from 'kysely'
import type { TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import { ALERTS } from '@trainyard/platform/contract/words/problems.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import { Problem } from '@trainyard/platform/server/core/errors.ts'
import { isInstructedBy } from './instructor.ts'
import { extendAccess, selectNextOpening, isWithinHours, type Opening } from './queries.ts'
import { emit, event, sqlHook, sqlOf } from '@trainyard/platform/server/core/events.ts'
import { classChanged } from './machine-changes.ts'

/** Access window, with times as HH:mm in `timeZone`. If both are null, access is always open. */
export interface AccessWindow {
  readonly start: string | null
  readonly stop: string | null
  /** Days on which the window opens, Monday 1 to Sunday 7. Null for every day. */
  readonly days: readonly number[] | null
  readonly timeZone: string
  readonly extendedUntil: Date | null
  readonly open: boolean
  /** A session of the class is running. */
  readonly inSession: boolean
}

/** SQL: true if access is open, for queries with both `training` and `organisation`. */
export const isWindowOpen: RawBuilder<boolean> = sql<boolean>`(training.access_start is null
  or coalesce(training.access_extended_until > portal_now(), false) or ${isWithinHours})`

/** The hours of an access window changed. */
export const windowChanged = event<TrainingId>('trainings.windowChanged')

/** SQL: true if a session of the `training` is running. */
export const isInSession = sqlHook<undefined, boolean>('trainings.isInSession', (conditions) =>
  conditions.length === 0 ? sql`false` : sql`(${sql.join(conditions, sql` or `)})`,
)

/** SQL: start of the next session of a training; null if none is planned. */
export const nextSession = sqlHook<TrainingId | RawBuilder<TrainingId>, Date | null>(
  'trainings.nextSession',
  (times) => (times.length === 0 ? sql`null::timestamptz` : sql`least(${sql.join(times)})`),
)

/** SQL: end of the last planned session of the training `t`; null if there is none. */
export const lastSessionEnd = sqlHook<undefined, Date | null>('trainings.lastSessionEnd', (times) =>
  times.length === 0 ? sql`null::timestamptz` : sql`greatest(${sql.join(times)})`,
)

/**
 * SQL: end of the training `t`: the end of its last day, otherwise of its last planned session; null if neither is
 * known.
 */
export const trainingEnd = (): RawBuilder<Date | null> => sql<Date | null>`coalesce(
  (t.ends_on + 1)::timestamp at time zone (select time_zone from organisation where id = t.organisation_id),
  ${sqlOf(lastSessionEnd, undefined)})`

interface ExtendedWindow {
  readonly before: Date | null
  /** Start of the period in which only the extension gives learners access: the end of today's hours, or now. */
  readonly from: Date
  readonly until: Date
  readonly timeZone: string
}

/**
 * Extends access. Repeated calls add up. A closed training opens for the given time. Returns null if the training has no
 * window.
 */
export async function extendWindow(tx: Tx, training: TrainingId, minutes: number): Promise<ExtendedWindow | null> {
  const { rows } = await extendAccess(tx, minutes, training)
  if (rows[0] === undefined) return null
  await classChanged(tx, training)
  const { before, from, until, time_zone } = rows[0]
  return { before, from, until, timeZone: time_zone }
}

/**
 * Throws outside the access window, which limits learners but not the training's instructors. Long-lived streams must
 * repeat this check.
 * @throws Problem closed, with the hours
 */
export async function refuseOutsideWindow(
  db: Db | Tx,
  actor: Pick<Actor, 'id' | 'role'>,
  trainings: readonly TrainingId[],
): Promise<void> {
  if (actor.role !== 'user' || trainings.length === 0) return
  const closed = await db
    .selectFrom('training')
    .innerJoin('organisation', 'organisation.id', 'training.organisation_id')
    .select(['access_start', 'access_stop', 'access_days'])
    .where('training.id', 'in', trainings)
    .where(isClosedTo(actor))
    .orderBy('training.name')
    .limit(1)
    .executeTakeFirst()
  if (closed !== undefined) throw outsideWindow(closed)
}

/**
 * SQL: true for users outside the access window, except instructors. Use it in queries on `training` and
 * `organisation`.
 */
export const isClosedTo = (actor: Pick<Actor, 'id' | 'role'>): RawBuilder<boolean> =>
  actor.role === 'user' ? sql<boolean>`(not ${isWindowOpen} and not ${isInstructedBy(actor)})` : sql<boolean>`false`

export interface WindowHours {
  readonly access_start: string | null
  readonly access_stop: string | null
  readonly access_days: readonly number[] | null
}

export const outsideWindow = ({ access_start, access_stop, access_days }: WindowHours): Problem =>
  new Problem('closed', ALERTS.outsideWindow(hhmm(access_start!), hhmm(access_stop!), access_days))

export async function windowOf(db: Db | Tx, training: TrainingId): Promise<AccessWindow> {
  const { access_start, access_stop, access_days, time_zone, extended, open, inSession } = await db
    .selectFrom('training')
    .innerJoin('organisation', 'organisation.id', 'training.organisation_id')
    .select([
      'access_start',
      'access_stop',
      'access_days',
      'time_zone',
      sql<Date | null>`case when access_extended_until > portal_now() then access_extended_until end`.as('extended'),
      isWindowOpen.as('open'),
      sqlOf(isInSession, undefined).as('inSession'),
    ])
    .where('training.id', '=', training)
    .executeTakeFirstOrThrow()
  return {
    start: access_start === null ? null : hhmm(access_start),
    stop: access_stop === null ? null : hhmm(access_stop),
    days: access_days,
    timeZone: time_zone,
    extendedUntil: extended,
    open,
    inSession,
  }
}

/** Returns when a training with an access window opens next, regardless of an extension. */
export async function nextOpening(db: Db, training: TrainingId): Promise<Opening | null> {
  const { rows } = await selectNextOpening(db, training)
  return rows[0] ?? null
}

/** Sets or removes the window. A change of its hours ends an extension. */
export async function setWindow(
  tx: Tx,
  training: TrainingId,
  window: { readonly start: string; readonly stop: string; readonly days: readonly number[] | null } | null,
): Promise<void> {
  const [start, stop] = [window?.start ?? null, window?.stop ?? null]
  const days = window?.days ? window.days.toSorted((a, b) => a - b) : null
  const { numUpdatedRows } = await tx
    .updateTable('training')
    .set({ access_start: start, access_stop: stop, access_extended_until: null, access_days: days })
    .where('id', '=', training)
    .where(
      sql<boolean>`(access_start, access_stop, access_days)
        is distinct from (${start}::time, ${stop}::time, ${days}::smallint[])`,
    )
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return
  await emit(tx, windowChanged, [training])
  await classChanged(tx, training)
}

export const hhmm = (time: string): string => time.slice(0, 5)
