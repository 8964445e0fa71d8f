import { formatWeekdays } from '@trainyard/platform/contract/words/weekdays.ts'
import type { ClassSessionId, TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { portalNow } from '@trainyard/platform/server/db/client.ts'
import { hhmm, setWindow, windowOf } from '@trainyard/trainings/server/window.ts'
import { enclosingWindow, type SessionHours, type Window } from './enclosing-window.ts'

/** Returns the hours of the sessions that have not ended and limit the access of learners. */
export async function limitingHours(
  db: Db,
  training: TrainingId,
  except: readonly ClassSessionId[] = [],
): Promise<SessionHours[]> {
  const rows = await db
    .selectFrom('class_session as session')
    .innerJoin('class_series as series', 'series.id', 'session.series_id')
    .select(['session.id', 'session.date', 'session.start_time', 'session.stop_time'])
    .where('session.training_id', '=', training)
    .where('session.removed_at', 'is', null)
    .where('session.skipped_at', 'is', null)
    .where('session.stops_at', '>', await portalNow(db))
    .where('series.limits_access', '=', true)
    .execute()
  return rows
    .filter(({ id }) => !except.includes(id))
    .map(({ date, start_time, stop_time }) => ({ date, start: hhmm(start_time), stop: hhmm(stop_time) }))
}

/**
 * Changes sessions. Then adapts the training's access window if the hours of its sessions changed. If the hours did not
 * change, a window that a user set remains.
 */
export async function adaptingWindow<T>(tx: Tx, training: TrainingId, change: () => Promise<T>): Promise<T> {
  const before = enclosingWindow(await limitingHours(tx, training))
  const result = await change()
  const after = enclosingWindow(await limitingHours(tx, training))
  if (windowText(before) !== windowText(after)) {
    const current = await windowOf(tx, training)
    if (windowText(currentWindow(current)) !== windowText(after)) await setWindow(tx, training, after)
  }
  return result
}

export const currentWindow = ({ start, stop, days }: Awaited<ReturnType<typeof windowOf>>): Window | null =>
  start === null || stop === null ? null : { start, stop, days }

export function windowText(window: Window | null): string {
  if (window === null) return 'all times'
  return `${window.start} to ${window.stop} ${window.days === null ? 'every day' : `on ${formatWeekdays(window.days)}`}`
}
