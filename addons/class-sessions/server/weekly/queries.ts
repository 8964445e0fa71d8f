import { sql } from 'kysely'
import type { TrainingId, OrganisationId, RecurrenceId } from '@trainyard/platform/contract/words/ids.ts'
import type { ScheduleAction } from '@trainyard/schedules/contract/schedule-words.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import type { WeeklyRun } from './runs.ts'

export interface PlannedSchedule {
  readonly date: string
  readonly action: ScheduleAction
}

export interface ListedRecurrence {
  readonly id: string
  readonly action: ScheduleAction
  readonly time: string
  readonly weekdays: number[]
  readonly from: string
  readonly until: string
  readonly time_zone: string
  readonly left: number
  readonly next: readonly { readonly date: string; readonly at: string }[] | null
}

export const SHOWN_RUNS = 10

export const selectSchedulesAt = (db: Db, training: TrainingId, runs: readonly Date[]) =>
  sql<PlannedSchedule>`
    select date, action from schedule
    where training_id = ${training} and removed_at is null and completed_at is null
      and fires_at = any(${runs}::timestamptz[])
    order by fires_at`.execute(db)

export const selectRecurrences = (db: Db, training: TrainingId) =>
  sql<ListedRecurrence>`
    select r.id, r.action, to_char(r.time, 'HH24:MI') as time, r.weekdays, r.from_date as from, r.until_date as until,
      r.time_zone, coming.left::int as left, coming.next
    from recurrence r cross join lateral (
      select count(*) as left, min(fires_at) as first,
        (jsonb_agg(jsonb_build_object('date', date, 'at', fires_at) order by fires_at)
          filter (where place <= ${SHOWN_RUNS})) as next
      from (select date, fires_at, row_number() over (order by fires_at) as place from schedule
        where recurrence_id = r.id and completed_at is null and removed_at is null) s) as coming
    where r.training_id = ${training} and r.removed_at is null and coming.left > 0
    order by coming.first, r.created_at`.execute(db)

export const insertRuns = (
  tx: Tx,
  input: {
    readonly training: TrainingId
    readonly organisationId: OrganisationId
    readonly action: string
    readonly time: string
    readonly timeZone: string
    readonly email: string
    readonly id: RecurrenceId
    readonly runs: readonly WeeklyRun[]
  },
) =>
  sql`
    insert into schedule (training_id, organisation_id, action, date, time, time_zone, fires_at, created_by, recurrence_id)
    select ${input.training}, ${input.organisationId}, ${input.action}, run.date, ${input.time}::time, ${input.timeZone}, run.at, ${input.email}, ${input.id}
    from unnest(${input.runs.map(({ date }) => date)}::date[], ${input.runs.map(({ at }) => at)}::timestamptz[]) as run (date, at)
    on conflict (training_id, fires_at, action) where removed_at is null do nothing`.execute(tx)
