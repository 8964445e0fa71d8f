import { type RawBuilder, sql } from 'kysely'
import type { TrainingId } from '@trainyard/contract/words/ids.ts'
import { ALERTS } from '@trainyard/contract/words/problems.ts'
import type { Db, Tx } from '../../db/schema.ts'
import type { Actor } from '../../core/actor.ts'
import { Problem } from '../../core/errors.ts'

/** Times of day as HH:mm on the clocks of `timeZone`; both null: open at all times. */
export interface AccessWindow {
  readonly start: string | null
  readonly stop: string | null
  readonly timeZone: string
}

/**
 * A condition for queries that have both `training` and `organisation`: learners may come in now. From the start on,
 * and no longer at the stop; a window that stops before it starts goes through midnight.
 */
export const windowIsOpen: RawBuilder<boolean> = sql<boolean>`(training.access_start is null or case
  when training.access_start < training.access_stop
    then (portal_now() at time zone organisation.time_zone)::time >= training.access_start
      and (portal_now() at time zone organisation.time_zone)::time < training.access_stop
  else (portal_now() at time zone organisation.time_zone)::time >= training.access_start
    or (portal_now() at time zone organisation.time_zone)::time < training.access_stop end)`

/**
 * Refuses a learner whose training is closed to them just now; nobody else is bound by the window. To be asked again
 * of whatever stays open: a live stream, a remote session.
 * @throws Problem closed, saying when it is open
 */
export async function refuseOutsideWindow(
  db: Db | Tx,
  actor: Pick<Actor, 'role'>,
  trainings: readonly TrainingId[],
): Promise<void> {
  if (actor.role !== 'user' || trainings.length === 0) return
  const closed = await db
    .selectFrom('training')
    .innerJoin('organisation', 'organisation.id', 'training.organisation_id')
    .select(['access_start', 'access_stop'])
    .where('training.id', 'in', trainings)
    .where(sql<boolean>`not ${windowIsOpen}`)
    .orderBy('training.name')
    .limit(1)
    .executeTakeFirst()
  if (closed === undefined) return
  throw new Problem('closed', ALERTS.outsideWindow(hhmm(closed.access_start!), hhmm(closed.access_stop!)))
}

export async function windowOf(db: Db, training: TrainingId): Promise<AccessWindow> {
  const { access_start, access_stop, time_zone } = await db
    .selectFrom('training')
    .innerJoin('organisation', 'organisation.id', 'training.organisation_id')
    .select(['access_start', 'access_stop', 'time_zone'])
    .where('training.id', '=', training)
    .executeTakeFirstOrThrow()
  return {
    start: access_start === null ? null : hhmm(access_start),
    stop: access_stop === null ? null : hhmm(access_stop),
    timeZone: time_zone,
  }
}

/** Sets a training's window, or removes it. */
export async function setWindow(
  tx: Tx,
  training: TrainingId,
  window: { readonly start: string; readonly stop: string } | null,
): Promise<void> {
  await tx
    .updateTable('training')
    .set({ access_start: window?.start ?? null, access_stop: window?.stop ?? null })
    .where('id', '=', training)
    .execute()
}

/** A time of day as the database tells it, without its seconds. */
export const hhmm = (time: string): string => time.slice(0, 5)
