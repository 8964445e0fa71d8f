import { sql } from 'kysely'
import type { ReplyOf } from '@trainyard/contract/call.ts'
import type { classSession } from '@trainyard/contract/calls/class-session.ts'
import type { RowState } from '@trainyard/contract/words/class-session.ts'
import type { OrganisationId, TrainingId } from '@trainyard/contract/words/ids.ts'
import { rupeesOfPaise } from '@trainyard/contract/words/money.ts'
import type { Db } from '../../../db/schema.ts'
import { leadOf } from '../ready/lead-time.ts'
import { timeZoneAndNow } from '../schedule/create.ts'
import { costOf, holidaysBetween, trainingRate } from './plan.ts'

type Listed = ReplyOf<typeof classSession.list>
type Event = Listed['events'][number]

interface Row {
  readonly id: string
  readonly date: string
  readonly start: string
  readonly stop: string
  readonly starts_at: Date
  readonly stops_at: Date
  readonly skipped: boolean
  readonly moved: boolean
  readonly weekdays: number[] | null
  readonly until: string
  readonly limits_access: boolean
  readonly ready: RowState | null
  readonly power_on: RowState | null
  readonly shut_down: RowState | null
  readonly holiday: string | null
}

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

const scheduleState = (action: 'Start' | 'Stop', at: 'starts_at' | 'stops_at') => sql<RowState | null>`(
  select case when missed then 'missed' when completed_at is not null then 'done' else 'pending' end
  from schedule row where row.training_id = s.training_id and row.action = ${action}
    and row.fires_at = s.${sql.ref(at)} and row.removed_at is null)`

/**
 * Returns the rows of sessions. Rows are found by their time, so that an event that a user planned for the same minute
 * is included.
 */
async function sessionRows(db: Db, training: TrainingId, { from, until }: Span): Promise<readonly Row[]> {
  const { rows } = await sql<Row>`
    select s.id, s.date, to_char(s.start_time, 'HH24:MI') as start, to_char(s.stop_time, 'HH24:MI') as stop,
      s.starts_at, s.stops_at, s.skipped_at is not null as skipped, s.moved,
      series.weekdays, series.until_date as until, series.limits_access,
      (select case when missed then 'missed' when started_at is not null then 'done' else 'pending' end
        from ready_by row where row.training_id = s.training_id and row.ready_at = s.starts_at
          and row.order_id is null and row.removed_at is null) as ready,
      ${scheduleState('Start', 'starts_at')} as power_on, ${scheduleState('Stop', 'stops_at')} as shut_down,
      holiday.name as holiday
    from class_session s join class_series series on series.id = s.series_id
    left join holiday on holiday.organisation_id = s.organisation_id and holiday.date = s.date
    where s.training_id = ${training} and s.removed_at is null and s.date between ${from}::date - 1 and ${until}
    order by s.starts_at`.execute(db)
  return rows
}

async function otherEvents(db: Db, training: TrainingId, { from, until }: Span): Promise<Event[]> {
  const { rows } = await sql<Event>`
    select date::text as date, to_char(time, 'HH24:MI') as time, action as kind from schedule e
    where training_id = ${training} and removed_at is null and date between ${from} and ${until}
      and not exists (select from class_session s
        where s.training_id = ${training} and s.removed_at is null and s.skipped_at is null
          and case e.action when 'Start' then s.starts_at else s.stops_at end = e.fires_at)
    union all
    select date, time, 'Ready' from ready_by e
    where training_id = ${training} and removed_at is null and date between ${from} and ${until}
      and not exists (select from class_session s
        where s.training_id = ${training} and s.removed_at is null and s.skipped_at is null
          and s.starts_at = e.ready_at)
    order by date, time`.execute(db)
  return rows
}
