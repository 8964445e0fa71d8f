import type { Insertable } from 'kysely'
import type { BodyOf } from '@trainyard/platform/contract/call.ts'
import type { schedule } from '../contract/schedule.ts'
import { PLANNED_MAX } from '@trainyard/platform/contract/words/limits.ts'
import { formatWeekdays } from '@trainyard/platform/contract/words/weekdays.ts'
import type { Db, Schema, Tx } from '@trainyard/platform/server/db/schema.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import { conflict, Problem } from '@trainyard/platform/server/core/errors.ts'
import { lockTrainingToPlan } from '@trainyard/trainings/server/scope.ts'
import { setWindow, windowOf } from '@trainyard/trainings/server/window.ts'
import { instantOf } from './instant.ts'
import { selectTimeZoneAndNow, selectAnyMachine, countPlanned } from './queries.ts'

type Body = BodyOf<typeof schedule.create>

/**
 * Creates all schedules or none of them. A schedule is not stored again if a schedule with the same instant and action
 * exists.
 */
export async function createSchedules(tx: Tx, actor: Actor, body: Body): Promise<string> {
  const { id, organisationId } = await lockTrainingToPlan(tx, actor, body)
  const { schedules, restrictLogin } = body.data
  const { time_zone, now } = await timeZoneAndNow(tx, id)
  const currentWindow = await windowOf(tx, id)
  if (schedules.length > 0) await refuseWithoutMachines(tx, id)
  const planned = schedules.map(({ date, time, action }) => ({
    training_id: id,
    organisation_id: organisationId,
    action,
    date,
    time,
    time_zone,
    fires_at: instantOf(date, time, time_zone),
    created_by: actor.email,
  }))
  const past = planned.find(({ fires_at }) => fires_at <= now)
  if (past !== undefined) throw new Problem('invalid', `${past.date} ${past.time} (${time_zone}) is in the past.`)
  const added = planned.length === 0 ? 0 : await insert(tx, planned)
  await refuseTooManyPlanned(tx, id)
  const window = windowFrom(restrictLogin, currentWindow.days)
  await setWindow(tx, id, window)
  return messageOf({ added, planned: planned.length }, window)
}

async function insert(tx: Tx, planned: readonly Insertable<Schema['schedule']>[]): Promise<number> {
  const added = await tx
    .insertInto('schedule')
    .values(planned)
    .onConflict((on) => on.columns(['training_id', 'fires_at', 'action']).where('removed_at', 'is', null).doNothing())
    .returning('id')
    .execute()
  return added.length
}

type Days = readonly number[] | null
type Window = { readonly start: string; readonly stop: string; readonly days: readonly number[] | null } | null

function windowFrom(request: Body['data']['restrictLogin'], heldDays: Days): Window {
  const { restrictUserLogin, userAccessOnTime, userAccessOffTime, userAccessDays } = request
  if (!restrictUserLogin) return null
  return {
    start: userAccessOnTime!,
    stop: userAccessOffTime!,
    days: userAccessDays === undefined ? heldDays : userAccessDays,
  }
}

export async function timeZoneAndNow(tx: Db, training: string): Promise<{ time_zone: string; now: Date }> {
  const { rows } = await selectTimeZoneAndNow(tx, training)
  return rows[0]!
}

export async function refuseWithoutMachines(tx: Tx, training: string): Promise<void> {
  const { rows } = await selectAnyMachine(tx, training)
  if (rows.length === 0) throw conflict('This training has no machines to start or stop.')
}

/**
 * Checks the number of planned schedules. Callers lock the training and add their rows first.
 * @throws Problem conflict if more future rows exist than lists show
 */
export async function refuseTooManyPlanned(tx: Tx, training: string): Promise<void> {
  const { rows } = await countPlanned(tx, training)
  if (rows[0]!.most <= PLANNED_MAX) return
  const limitText = PLANNED_MAX.toLocaleString('en-IN')
  throw conflict(
    `A training can have at most ${limitText} planned events of a kind. Cancel some before you plan others.`,
  )
}

function messageOf({ added, planned }: { readonly added: number; readonly planned: number }, window: Window): string {
  const access =
    window === null
      ? 'Learners have access at all times.'
      : `Learners have access from ${window.start} to ${window.stop}${window.days === null ? '' : ` on ${formatWeekdays(window.days)}`}.`
  if (planned === 0) return access
  const before = planned - added
  const known = before === 0 ? '' : ` ${before === 1 ? 'One was' : `${before} were`} already planned.`
  if (added === 0) return `No new schedules.${known} ${access}`
  return `${added === 1 ? 'One schedule is' : `${added} schedules are`} planned.${known} ${access}`
}
