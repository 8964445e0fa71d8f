import { sql } from 'kysely'
import { Temporal } from 'temporal-polyfill'
import type { BodyOf } from '@trainyard/contract/call.ts'
import type { recurrence } from '@trainyard/contract/calls/recurrence.ts'
import type { RecurrenceId, TrainingId } from '@trainyard/contract/words/ids.ts'
import { WEEKLY_DAYS_MAX } from '@trainyard/contract/words/limits.ts'
import { weekdaysSaid } from '@trainyard/contract/words/recurrence.ts'
import type { ScheduleAction } from '@trainyard/contract/words/schedule.ts'
import type { Db, Tx } from '../../../../db/schema.ts'
import type { Actor } from '../../../../core/actor.ts'
import { conflict, Problem } from '../../../../core/errors.ts'
import { trainingToPlan } from '../../training/scope.ts'
import { placeAndTime, refuseWithoutMachines } from '../create.ts'
import { conflictsOf } from './conflicts.ts'
import { runsOf, type WeeklyRule, type WeeklyRun } from './runs.ts'

export interface Upcoming {
  readonly timeZone: string
  /** Those that are to come. */
  readonly runs: readonly WeeklyRun[]
}

/**
 * The runs to come that a rule has for a training, in its organisation's zone.
 * @throws Problem invalid where it ends before it begins, spans more than a year, or has no run to come
 */
export async function upcoming(db: Db, training: TrainingId, rule: WeeklyRule): Promise<Upcoming> {
  const { time_zone: timeZone, now } = await placeAndTime(db, training)
  const span = Temporal.PlainDate.from(rule.from).until(rule.until, { largestUnit: 'days' }).days
  if (span < 0) throw new Problem('invalid', 'Until must not be before From.')
  if (span > WEEKLY_DAYS_MAX) throw new Problem('invalid', `Until must be at most ${WEEKLY_DAYS_MAX} days after From.`)
  const runs = runsOf(rule, timeZone).filter(({ at }) => at > now)
  if (runs.length === 0) throw new Problem('invalid', 'No such day is still to come between these dates.')
  return { timeZone, runs }
}

/**
 * Plans a schedule that repeats by weekday, and each of its runs as a schedule; answers the sentence to show. A run that
 * is planned already stays what it was.
 * @throws Problem conflict where a run would meet its opposite in the same minute
 */
export async function planWeekly(
  tx: Tx,
  actor: Actor,
  body: BodyOf<typeof recurrence.create>,
): Promise<{ readonly id: RecurrenceId; readonly message: string }> {
  const { id: training, organisationId } = await trainingToPlan(tx, actor, body)
  const { timeZone, runs } = await upcoming(tx, training, body)
  await refuseWithoutMachines(tx, training)
  const { action, time, from, until } = body
  const weekdays = body.weekdays.toSorted((a, b) => a - b)
  const blocking = (await conflictsOf(tx, training, { action, time, runs })).find(({ blocks }) => blocks)
  if (blocking !== undefined) throw conflict(blocking.sentence)
  const { id } = await tx
    .insertInto('recurrence')
    .values({
      training_id: training,
      organisation_id: organisationId,
      action,
      weekdays,
      time,
      from_date: from,
      until_date: until,
      time_zone: timeZone,
      created_by: actor.email,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { numAffectedRows } = await sql`
    insert into schedule (training_id, organisation_id, action, date, time, time_zone, fires_at, created_by, recurrence_id)
    select ${training}, ${organisationId}, ${action}, run.date, ${time}::time, ${timeZone}, run.at, ${actor.email}, ${id}
    from unnest(${runs.map(({ date }) => date)}::date[], ${runs.map(({ at }) => at)}::timestamptz[]) as run (date, at)
    on conflict (training_id, fires_at, action) where removed_at is null do nothing`.execute(tx)
  const added = Number(numAffectedRows)
  if (added === 0) throw conflict('All these runs are planned already.')
  return {
    id,
    message: `${sentence(action, weekdays, time)}: ${added === 1 ? 'one run is' : `${added} runs are`} planned.`,
  }
}

const sentence = (action: ScheduleAction, weekdays: readonly number[], time: string): string =>
  `${action === 'Start' ? 'Power On' : 'Shut Down'} on ${weekdaysSaid(weekdays)} at ${time}`.replace(
    'on every',
    'every',
  )
