import { sql } from 'kysely'
import type { TrainingId, OrderId, OrganisationId, MachineId } from '@trainyard/platform/contract/words/ids.ts'
import { SCHEDULE_GRACE_MINUTES } from '@trainyard/platform/contract/words/limits.ts'
import type { Tx, Db } from '@trainyard/platform/server/db/schema.ts'
import { IS_OF_DEACTIVATED } from '@trainyard/machines/server/desired-power.ts'
import { durationsByGroup } from '@trainyard/machines/server/operation/queries.ts'

const NOT_CREATED = 'Its ready time was cancelled or missed. Power it on to create it.'

export interface ReadySelection {
  readonly training: TrainingId
  readonly order: OrderId | null
}

export const isSelected = ({ training, order }: ReadySelection) =>
  sql<boolean>`training_id = ${training} and terminated_at is null and desired <> 'gone' and withheld_at is null
    and not ${IS_OF_DEACTIVATED} and (${order}::uuid is null or order_id = ${order})`

export interface ListedReadyBy {
  readonly id: string
  readonly date: string
  readonly time: string
  readonly ready_at: Date
  readonly started_at: Date | null
  readonly missed: boolean
  readonly order_id: OrderId | null
  readonly of_session: boolean
}

const MAX_SHOWN = 20

export interface MachineLine {
  readonly ready_by_id: string
  readonly name: string
  readonly email: string
  readonly reason: string | null
}

export interface PendingReadyBy {
  readonly id: string
  readonly training_id: TrainingId
  readonly organisation_id: OrganisationId
  readonly order_id: OrderId | null
  readonly seconds: number
}

/**
 * Period before the start of a ready time in which it is considered, because the lead time is computed again with new
 * measurements.
 */
const LOOKAHEAD = '1 day'

const AT_ONCE = 200

export const cancelReadyBy = (tx: Tx, id: TrainingId, date: string, time: string) =>
  sql`
    with cancelled as (
      update ready_by set removed_at = portal_now()
      where training_id = ${id} and date = ${date} and time = ${time} and removed_at is null
      returning order_id),
    mine as (
      select id from machine where create_later and order_id in (select order_id from cancelled) order by id for update)
    update machine m set stop_reason = ${NOT_CREATED} from mine where m.id = mine.id`.execute(tx)

export const selectLeadTimes = (db: Db, of: ReadySelection) => {
  const live = sql`
    select case when first_seen_at is null then 'create' else 'start' end as kind, os, size_name, location, count(*) as count
    from machine where ${isSelected(of)}
    group by 1, 2, 3, 4`
  const groups = sql`select distinct kind, size_name, location from (${live}) as live`
  return sql<{ kind: 'create' | 'start'; os: 'Linux' | 'Windows'; count: number; p90: number | null }>`
    select live.kind, live.os, live.count, coalesce(r.p90, e.p90) as p90 from (${live}) as live
    left join ${durationsByGroup(groups, 'ready_at')} as r using (kind, size_name, location)
    left join ${durationsByGroup(groups)} as e using (kind, size_name, location)`.execute(db)
}

export const selectReadyBy = (db: Db, training: TrainingId) =>
  sql<ListedReadyBy>`
    select * from (
      select id, date, time, ready_at, started_at, missed, order_id, class_session_id is not null as of_session
      from ready_by
      where training_id = ${training} and removed_at is null
      order by abs(extract(epoch from ready_at - portal_now())) limit ${MAX_SHOWN}) as nearest
    order by ready_at desc`.execute(db)

export const selectMachineLines = (db: Db, readyBy: readonly string[]) =>
  sql<MachineLine>`
    select t.ready_by_id, m.name, m.email,
      case
        when t.refused is not null then t.refused
        when m.terminated_at is not null or m.desired = 'gone' then coalesce(m.ended, 'It was deleted.')
        when m.last_error is not null then m.last_error
        when m.desired = 'stopped' then 'It was stopped.'
        when m.observed <> 'running' or m.password_due or m.reset_asked_at is not null then 'It is being started.'
        when last.id is null or last.ready_at is not null then null
        else coalesce(last.reason, 'It runs but does not answer yet.')
      end as reason
    from ready_machine t join machine m on m.id = t.machine_id
    left join lateral (
      select o.id, o.ready_at, o.reason from operation o
      where o.machine_id = m.id and o.kind in ('create', 'start', 'restart', 'reset')
      order by o.asked_at desc limit 1) as last on true
    where t.ready_by_id = any(${readyBy}::uuid[]) order by m.number`.execute(db)

export const markMissed = (db: Db) =>
  sql`
    with missed as (
      update ready_by set missed = true
      where started_at is null and not missed and removed_at is null
        and ready_at < portal_now() - make_interval(mins => ${sql.lit(SCHEDULE_GRACE_MINUTES)})
      returning order_id),
    mine as (
      select id from machine where create_later and order_id in (select order_id from missed) order by id for update)
    update machine m set stop_reason = ${NOT_CREATED} from mine where m.id = mine.id`.execute(db)

export const selectDueStarts = (db: Db) =>
  sql<PendingReadyBy>`
    select id, training_id, organisation_id, order_id, extract(epoch from ready_at - portal_now())::float8 as seconds
    from ready_by where started_at is null and not missed and removed_at is null
      and ready_at < portal_now() + ${LOOKAHEAD}::interval
    order by ready_at limit ${AT_ONCE}`.execute(db)

export const markStarted = (tx: Tx, id: string) =>
  sql`
    update ready_by set started_at = portal_now()
    where id = ${id} and started_at is null and removed_at is null returning id`.execute(tx)

export const insertResults = (
  tx: Tx,
  id: string,
  organisation: OrganisationId,
  results: readonly {
    readonly machine: { readonly id: MachineId }
    readonly outcome: string
    readonly reason: string | null
  }[],
) =>
  sql`
    insert into ready_machine (ready_by_id, organisation_id, machine_id, refused)
    select ${id}, ${organisation}, result.machine, result.refused
    from unnest(${results.map(({ machine }) => machine.id)}::uuid[],
      ${results.map(({ outcome, reason }) => (outcome === 'failed' ? reason : null))}::text[]) as result (machine, refused)`.execute(
    tx,
  )
