import { Temporal } from 'temporal-polyfill'
import type {
  ClassSessionId,
  OrganisationId,
  RecurrenceId,
  TrainingId,
} from '@trainyard/platform/contract/words/ids.ts'
import type { ScheduleAction } from '@trainyard/schedules/contract/schedule-words.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import { type Occurrence, type SessionRule, stopDateOf } from './occurrences.ts'
import { removeSchedules, removeReadyByRows } from './queries.ts'

export interface Planner {
  readonly training: TrainingId
  readonly organisation: OrganisationId
  readonly timeZone: string
  readonly by: string
  readonly now: Date
  readonly leadSeconds: number
}

export interface StoredOccurrence extends Occurrence {
  readonly id: ClassSessionId
}

type Recurrences = Readonly<Record<ScheduleAction, RecurrenceId | null>>
const SINGLE: Recurrences = { Start: null, Stop: null }

/** Creates the weekly schedules of a class, to which `insertRows` adds the runs. */
export async function insertRecurrences(tx: Tx, planner: Planner, rule: SessionRule): Promise<Recurrences> {
  if (rule.weekdays === null) return SINGLE
  const { weekdays, from, until } = rule
  const isOvernight = rule.stop <= rule.start
  const stop = isOvernight
    ? {
        weekdays: weekdays.map((day) => (day % 7) + 1),
        from: addDays(from, 1),
        until: addDays(until, 1),
      }
    : { weekdays, from, until }
  const [start, end] = await tx
    .insertInto('recurrence')
    .values(
      [
        { action: 'Start' as const, time: rule.start, weekdays, from, until },
        { action: 'Stop' as const, time: rule.stop, ...stop },
      ].map((row) => ({
        training_id: planner.training,
        organisation_id: planner.organisation,
        action: row.action,
        weekdays: row.weekdays.toSorted((a, b) => a - b),
        time: row.time,
        from_date: row.from,
        until_date: row.until,
        time_zone: planner.timeZone,
        created_by: planner.by,
      })),
    )
    .returning('id')
    .execute()
  return { Start: start!.id, Stop: end!.id }
}

const addDays = (date: string, days: number): string => Temporal.PlainDate.from(date).add({ days }).toString()

/**
 * Plans the ready time, power on and shut down of sessions, if these times are in the future. An existing row at the
 * same time is used unchanged, and remains if the session is cancelled.
 */
export async function insertRows(
  tx: Tx,
  planner: Planner,
  sessions: readonly StoredOccurrence[],
  recurrences: Recurrences = SINGLE,
): Promise<void> {
  const { training, organisation, timeZone, by, now, leadSeconds } = planner
  const common = { training_id: training, organisation_id: organisation, time_zone: timeZone }
  const schedules = sessions.flatMap((session) => [
    { session, action: 'Start' as const, date: session.date, time: session.start, at: session.startsAt },
    {
      session,
      action: 'Stop' as const,
      date: stopDateOf(session.date, session),
      time: session.stop,
      at: session.stopsAt,
    },
  ])
  const ahead = schedules.filter(({ at }) => at > now)
  if (ahead.length > 0) {
    await tx
      .insertInto('schedule')
      .values(
        ahead.map(({ session, action, date, time, at }) => ({
          ...common,
          action,
          date,
          time,
          fires_at: at,
          created_by: by,
          recurrence_id: recurrences[action],
          class_session_id: session.id,
        })),
      )
      .onConflict((on) => on.columns(['training_id', 'fires_at', 'action']).where('removed_at', 'is', null).doNothing())
      .execute()
  }
  const prepared = sessions.filter(({ startsAt }) => startsAt.getTime() - leadSeconds * 1000 > now.getTime())
  if (prepared.length === 0) return
  await tx
    .insertInto('ready_by')
    .values(
      prepared.map(({ id, date, start, startsAt }) => ({
        ...common,
        date,
        time: start,
        ready_at: startsAt,
        asked_by: by,
        class_session_id: id,
      })),
    )
    .onConflict((on) => on.columns(['training_id', 'ready_at', 'order_id']).where('removed_at', 'is', null).doNothing())
    .execute()
}

/** Removes the rows of sessions that have not been executed. */
export async function removeRows(tx: Tx, sessions: readonly ClassSessionId[]): Promise<void> {
  if (sessions.length === 0) return
  await removeSchedules(tx, sessions)
  await removeReadyByRows(tx, sessions)
}
