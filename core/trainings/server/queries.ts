import { sql, type RawBuilder } from 'kysely'
import type { OrganisationId, TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import type { Tx, Db } from '@trainyard/platform/server/db/schema.ts'

const CLOCK = sql`(portal_now() at time zone organisation.time_zone)`

const opensOn = (day: RawBuilder<unknown>) =>
  sql`(training.access_days is null or extract(isodow from ${day})::smallint = any(training.access_days))`

/**
 * SQL: true within the hours of the window, without an extension. The end is exclusive. A window that spans midnight
 * belongs to the day on which it opens.
 */
export const isWithinHours: RawBuilder<boolean> = sql<boolean>`(case
  when training.access_start < training.access_stop
    then ${CLOCK}::time >= training.access_start and ${CLOCK}::time < training.access_stop and ${opensOn(CLOCK)}
  else (${CLOCK}::time >= training.access_start and ${opensOn(CLOCK)})
    or (${CLOCK}::time < training.access_stop and ${opensOn(sql`${CLOCK} - interval '1 day'`)}) end)`

const hoursStopAt: RawBuilder<Date> = sql<Date>`((case
  when (portal_now() at time zone organisation.time_zone)::time < training.access_stop
    then (portal_now() at time zone organisation.time_zone)::date
  else (portal_now() at time zone organisation.time_zone)::date + 1 end + training.access_stop)
  at time zone organisation.time_zone)`

/** Next time in which the hours of an access window allow access. */
export interface Opening {
  readonly training: string
  readonly startsAt: Date
  readonly stopsAt: Date
}

export const extendAccess = (tx: Tx, minutes: number, training: TrainingId) =>
  sql<{ before: Date | null; until: Date; from: Date; time_zone: string }>`
    update training set access_extended_until = greatest(portal_now(), was.access_extended_until,
        case when ${isWithinHours} then ${hoursStopAt} end) + make_interval(mins => ${minutes})
    from organisation, (select id, access_extended_until from training where id = ${training} for update) as was
    where training.id = was.id and organisation.id = training.organisation_id and training.access_start is not null
    returning was.access_extended_until as before, training.access_extended_until as until, organisation.time_zone,
      case when ${isWithinHours} then ${hoursStopAt} else portal_now() end as from`.execute(tx)

export const selectNextOpening = (db: Db, training: TrainingId) =>
  sql<Opening>`
    select training.name as training, (day + access_start) at time zone time_zone as "startsAt",
      (day + access_stop + case when access_start < access_stop then interval '0' else interval '1 day' end)
        at time zone time_zone as "stopsAt"
    from training join organisation on organisation.id = training.organisation_id,
      lateral (select ${CLOCK}::date + ahead as day from generate_series(0, 7) as ahead) as days
    where training.id = ${training} and ${opensOn(sql`day`)} and (day + access_start) at time zone time_zone > portal_now()
    order by day limit 1`.execute(db)

export const notifyOfMachines = (tx: Tx, channel: string, machines: readonly string[]) =>
  sql`
    select pg_notify(${channel}, training_id || ' ' || id) from machine
    where id = any(${machines}::uuid[])`.execute(tx)

export const notifyOfTrainings = (tx: Tx, channel: string, organisation: OrganisationId, training: TrainingId | null) =>
  sql`
    select pg_notify(${channel}, id::text) from training
    where organisation_id = ${organisation} and (${training}::uuid is null or id = ${training})`.execute(tx)

/** Machines that users can name. A ready machine has no user. */
export const selectMachines = (db: Db | Tx) => db.selectFrom('machine').where('spare', '=', false)

export const hasMachineOf = (email: string): RawBuilder<boolean> => sql<boolean>`exists (
  select from machine mine where mine.training_id = training.id and mine.email = ${email}
    and mine.withheld_at is null)`
