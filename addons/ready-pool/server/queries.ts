import { type RawBuilder, sql } from 'kysely'
import type { MachineId, OrganisationId, TemplateId, TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import { BROWSER_ACCESS_SURCHARGE, type Paise } from '@trainyard/platform/contract/words/money.ts'
import { sqlOf } from '@trainyard/platform/server/core/events.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { DUE_AT } from '@trainyard/schedules/server/queries.ts'
import { priceAt, SUPPLIER_TODAY } from '@trainyard/templates/server/price-at.ts'
import { isInSession, isWindowOpen } from '@trainyard/trainings/server/window.ts'
import type { ReadyPoolRow } from '../tables.gen.ts'

/** SQL: the machines of a training's spares, and whether they match the settings of the pool. */
const sparesOf = (training: RawBuilder<unknown>) => sql`(
  select m.*, coalesce(s.template_id = pool.template_id and s.revision = card.revision and m.guacamole = pool.guacamole
    and m.desired <> 'gone', false) as is_current
  from pool_machine s join machine m on m.id = s.machine_id
    left join ready_pool pool on pool.training_id = s.training_id left join template card on card.id = pool.template_id
  where s.training_id = ${training})`

/**
 * SQL: true if the last schedule of a `training` stopped its machines, no session is in progress, and no user has
 * started a machine since.
 */
const isStoppedBySchedule = () => sql<boolean>`(not ${sqlOf(isInSession, undefined)} and coalesce((
  select action = 'Stop' from schedule
  where schedule.training_id = training.id and completed_at is not null and not missed and removed_at is null
  order by ${DUE_AT} desc limit 1), false) and not exists (
  select from machine used where used.training_id = training.id and used.terminated_at is null and not used.spare
    and used.desired = 'running'))`

/**
 * Takes spares out of their pool: first those that run, then the stopped ones, then those that are being created. A
 * spare that fails, or that another transaction has locked, is left out.
 */
export const takeSpares = (tx: Tx, training: TrainingId, template: TemplateId, guacamole: boolean, count: number) =>
  sql<{ id: MachineId }>`
    delete from pool_machine using (
      select s.machine_id from pool_machine s join machine m on m.id = s.machine_id
        join template t on t.id = s.template_id
      where s.training_id = ${training} and s.template_id = ${template} and s.revision = t.revision
        and m.guacamole = ${guacamole} and m.spare and m.desired <> 'gone' and m.terminated_at is null
        and m.last_error is null and m.attempts = 0
      order by m.observed = 'running' and m.desired = 'running' and not m.password_due desc, m.observed = 'stopped' desc,
        m.number
      limit ${count} for update of s, m skip locked) as free
    where pool_machine.machine_id = free.machine_id returning pool_machine.machine_id as id`.execute(tx)

/**
 * Seconds without a claim before a pool is filled again, because the new machines would take their processors from the
 * claimed ones that are starting: when a class of 40 arrived at one LXD host with two cores, the slowest waited ten times
 * as long.
 */
const CALM_SECONDS = 15

const isCalm = (training: RawBuilder<unknown>) => sql<boolean>`not exists (
  select from machine claimed where claimed.training_id = ${training}
    and claimed.handed_over_at > portal_now() - make_interval(secs => ${CALM_SECONDS}))`

/** Trainings with something to do: spares that must go or change, a pool that is not full, or a reason that may have ended. */
export const selectTrainingsToTend = (db: Db) =>
  sql<{ training: TrainingId; organisation: OrganisationId }>`
    select training.id as training, training.organisation_id as organisation
    from (select training_id from ready_pool union select training_id from pool_machine) as kept
    join training on training.id = kept.training_id
    join organisation on organisation.id = training.organisation_id and organisation.removed_at is null
    left join ready_pool p on p.training_id = training.id
    cross join lateral (
      select count(*) filter (where is_current) as current, count(*) filter (where not is_current) as outdated,
        count(*) filter (where is_current and desired = 'running') as running
      from ${sparesOf(sql`training.id`)} as spare) as spares
    where outdated > 0 or current > p.machine_count
      or case when ${isWindowOpen} and not ${isStoppedBySchedule()}
        then p.paused is not null or current < p.machine_count and ${isCalm(sql`training.id`)}
          or running <> case p.power when 'running' then current else 0 end
        else p.paused is null or running > 0 end
    order by training.id`.execute(db)

export type Pool = ReadyPoolRow & {
  readonly template: string | null
  readonly revision: number | null
  readonly training: string
  readonly isClosed: boolean
  readonly isStoppedBySchedule: boolean
}

export const lockPoolRow = (tx: Tx, training: TrainingId) =>
  sql<Pool>`
    select p.*, t.name as template, t.revision, training.name as training, not ${isWindowOpen} as "isClosed",
      ${isStoppedBySchedule()} as "isStoppedBySchedule"
    from ready_pool p join training on training.id = p.training_id
      join organisation on organisation.id = training.organisation_id left join template t on t.id = p.template_id
    where p.training_id = ${training} for update of p`.execute(tx)

export interface Spare {
  readonly id: MachineId
  readonly isCurrent: boolean
  readonly desired: string
}

/** Returns the spares of a training, the best ones first. */
export const selectSpares = (tx: Tx, training: TrainingId) =>
  sql<Spare>`
    select m.id, m.is_current as "isCurrent", m.desired from ${sparesOf(sql`${training}`)} as m
    order by m.last_error is not null, m.observed = 'running' desc, m.observed = 'stopped' desc, m.number`.execute(tx)

/** Locks those of these machines that are spares and that no order is taking. */
export const lockSpares = (tx: Tx, machines: readonly MachineId[]) =>
  sql<{ id: MachineId }>`
    select m.id from pool_machine s join machine m on m.id = s.machine_id
    where s.machine_id = any(${machines}::uuid[]) for update of s, m skip locked`.execute(tx)

/** Counts the spares that an order may take, and tells whether the pool may be filled now. */
export const countSpares = (tx: Tx, training: TrainingId) =>
  sql<{ count: number; isCalm: boolean }>`
    select count(*)::int as count, ${isCalm(sql`${training}`)} as "isCalm" from ${sparesOf(sql`${training}`)} as m where is_current`.execute(
    tx,
  )

export interface PoolSettings {
  readonly training: TrainingId
  readonly organisation: OrganisationId
  readonly template: TemplateId
  readonly machines: number
  readonly power: string
  readonly guacamole: boolean
  readonly email: string
}

export const upsertPool = (
  tx: Tx,
  { training, organisation, template, machines, power, guacamole, email }: PoolSettings,
) =>
  sql`
    insert into ready_pool (training_id, organisation_id, template_id, machine_count, power, guacamole, set_by)
    values (${training}, ${organisation}, ${template}, ${machines}, ${power}, ${guacamole}, ${email})
    on conflict (training_id) do update set template_id = excluded.template_id, machine_count = excluded.machine_count,
      power = excluded.power, guacamole = excluded.guacamole, set_by = excluded.set_by, paused = null`.execute(tx)

export interface ListedPool {
  readonly templateName: string | null
  readonly machines: number
  readonly power: ReadyPoolRow['power']
  readonly guacamole: boolean
  readonly paisePerHour: Paise
  readonly ready: number
  readonly preparing: number
  readonly failing: number
  readonly failure: string | null
  readonly paused: string | null
}

export const selectPool = (db: Db | Tx, training: TrainingId) => {
  const price = sqlOf(priceAt, {
    organisation: sql`p.organisation_id`,
    template: sql`t.name`,
    size: sql`t.size_name`,
    licence: sql`t.licence`,
    day: SUPPLIER_TODAY,
  })
  return sql<ListedPool>`
    select t.name as "templateName", p.machine_count as machines, p.power, p.guacamole, p.paused,
      (coalesce(${price}, t.rate_paise, 0) + case when p.guacamole then ${BROWSER_ACCESS_SURCHARGE}::bigint else 0 end)
        as "paisePerHour", spares.*
    from ready_pool p left join template t on t.id = p.template_id
    cross join lateral (
      select (count(*) filter (where last_error is null and observed = desired and (observed = 'stopped' or not password_due)))::int
          as ready,
        (count(*) filter (where last_error is null
          and not (observed = desired and (observed = 'stopped' or not password_due))))::int as preparing,
        (count(*) filter (where last_error is not null))::int as failing, min(last_error) as failure
      from ${sparesOf(sql`p.training_id`)} as spare where is_current) as spares
    where p.training_id = ${training}`.execute(db)
}
