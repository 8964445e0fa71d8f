import { Temporal } from 'temporal-polyfill'
import type { BodyOf } from '@trainyard/platform/contract/call.ts'
import type { recurrence } from '../../contract/recurrence.ts'
import type { RecurrenceId, TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import { WEEKLY_DAYS_MAX } from '@trainyard/platform/contract/words/limits.ts'
import { formatWeekdays } from '@trainyard/platform/contract/words/weekdays.ts'
import type { ScheduleAction } from '@trainyard/schedules/contract/schedule-words.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import { conflict, Problem } from '@trainyard/platform/server/core/errors.ts'
import type { AnswerTo } from '@trainyard/platform/server/core/events.ts'
import type { weeklyConflicts } from '@trainyard/schedules/server/weekly-conflicts.ts'
import { lockTrainingToPlan } from '@trainyard/trainings/server/scope.ts'
import { timeZoneAndNow, refuseTooManyPlanned, refuseWithoutMachines } from '@trainyard/schedules/server/create.ts'
import { conflictsOf } from './conflicts.ts'
import { insertRuns } from './queries.ts'
import { runsOf, type WeeklyRule, type WeeklyRun } from './runs.ts'

export interface UpcomingRuns {
  readonly timeZone: string
  readonly runs: readonly WeeklyRun[]
}

/** @throws Problem invalid if the rule ends before it starts, spans more than a year, or has no future run */
export async function upcomingRuns(db: Db, training: TrainingId, rule: WeeklyRule): Promise<UpcomingRuns> {
  const { time_zone: timeZone, now } = await timeZoneAndNow(db, training)
  const span = Temporal.PlainDate.from(rule.from).until(rule.until, { largestUnit: 'days' }).days
  if (span < 0) throw new Problem('invalid', 'Until must not be before From.')
  if (span > WEEKLY_DAYS_MAX) throw new Problem('invalid', `Until must be at most ${WEEKLY_DAYS_MAX} days after From.`)
  const runs = runsOf(rule, timeZone).filter(({ at }) => at > now)
  if (runs.length === 0) throw new Problem('invalid', 'There is no such day left between these dates.')
  return { timeZone, runs }
}

/** Returns what speaks against a rule that is not planned. */
export const conflictsOfRule: AnswerTo<typeof weeklyConflicts> = async (db, { training, ...rule }) => {
  const { runs } = await upcomingRuns(db, training, rule)
  return conflictsOf(db, training, { action: rule.action, time: rule.time, runs })
}

/** @throws Problem conflict if the opposite action is scheduled in the same minute as a run */
export async function planWeekly(
  tx: Tx,
  actor: Actor,
  body: BodyOf<typeof recurrence.create>,
): Promise<{ readonly id: RecurrenceId; readonly message: string }> {
  const { id: training, organisationId } = await lockTrainingToPlan(tx, actor, body)
  const { timeZone, runs } = await upcomingRuns(tx, training, body)
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
  const { numAffectedRows } = await insertRuns(tx, {
    training,
    organisationId,
    action,
    time,
    timeZone,
    email: actor.email,
    id,
    runs,
  })
  const added = Number(numAffectedRows)
  if (added === 0) throw conflict('All these runs are already planned.')
  await refuseTooManyPlanned(tx, training)
  return {
    id,
    message: `${weeklyText(action, weekdays, time)}: ${added === 1 ? 'one run is' : `${added} runs are`} planned.`,
  }
}

const weeklyText = (action: ScheduleAction, weekdays: readonly number[], time: string): string =>
  `${action === 'Start' ? 'Power On' : 'Shut Down'} on ${formatWeekdays(weekdays)} at ${time}`.replace(
    'on every',
    'every',
  )
