import { sql } from 'kysely'
import type { BudgetAlert } from '../contract/budget.ts'
import type {
  BudgetAlertId,
  OrganisationId,
  TrainingId,
  UserId,
  BudgetId,
} from '@trainyard/platform/contract/words/ids.ts'
import type { Paise } from '@trainyard/platform/contract/words/money.ts'
import type { Tx, Db } from '@trainyard/platform/server/db/schema.ts'
import type { BudgetRow } from '../tables.gen.ts'
import { billByMachine, usedByMachine } from '@trainyard/usage/server/queries.ts'

const LIMIT = 20

export const isDue = sql`b.judge_at <= portal_now() and o.removed_at is null`

const BATCH_SIZE = 20

export interface Quota {
  readonly organisation: OrganisationId
  readonly training: TrainingId
  readonly minutes: number
  readonly seconds: number
}

export interface Month {
  readonly now: Date
  readonly timeZone: string
  /** YYYY-MM-01 */
  readonly first: string
  readonly begins: Date
  readonly ends: Date
}

export const insertAlerts = (
  tx: Tx,
  input: {
    readonly organisation: OrganisationId
    readonly training: TrainingId | null
    readonly kind: string
    readonly month: string | null
    readonly used: number
    readonly total: number
    readonly reached: readonly number[]
  },
) =>
  sql<{ id: BudgetAlertId; percent: number }>`
    insert into budget_alert (organisation_id, training_id, kind, month, used, total, percent)
    select ${input.organisation}, ${input.training}, ${input.kind}, ${input.month}, ${input.used}, ${input.total}, percent
    from unnest(${input.reached}::integer[]) as percent
    on conflict do nothing returning id, percent`.execute(tx)

export const selectUnseenAlerts = (db: Db, organisation: OrganisationId, user: UserId) =>
  sql<Omit<BudgetAlert, 'at'> & { at: Date; trainingId: TrainingId | null }>`
    select id as "_id", training as "trainingName", training_id as "trainingId", kind, percent, used, total, at from (
      select distinct on (a.training_id, a.kind) a.*, t.name as training
      from budget_alert a join organisation o on o.id = a.organisation_id left join training t on t.id = a.training_id
      where a.organisation_id = ${organisation} and t.removed_at is null
        and (a.month is null or a.month = date_trunc('month', portal_now() at time zone o.time_zone)::date)
        and a.total = case a.kind
          when 'budget' then (select amount_paise from budget b
            where b.organisation_id = a.organisation_id and b.training_id is not distinct from a.training_id)
          else (select sum(allotted_minutes) from machine m where m.training_id = a.training_id) end
      order by a.training_id, a.kind, a.at desc, a.percent desc) as latest
    where not exists (select from budget_alert_seen s where s.alert_id = latest.id and s.user_id = ${user})
    order by at desc, id limit ${LIMIT}`.execute(db)

export const lockDueBudgets = (tx: Tx) =>
  sql<BudgetRow>`
    select b.* from budget b join organisation o on o.id = b.organisation_id
    where ${isDue}
    order by b.judge_at limit ${BATCH_SIZE} for update of b skip locked`.execute(tx)

export const updateEvaluation = (tx: Tx, isCapped: boolean, seconds: number, before: Date | null, id: BudgetId) =>
  sql<{ organisation: OrganisationId; training: TrainingId | null; amount: Paise; reached: boolean }>`
    update budget b set cap_reached_at = case when ${isCapped} then coalesce(b.cap_reached_at, portal_now()) end,
      judge_at = least(portal_now() + make_interval(secs => ${seconds}), ${before}::timestamptz)
    from (select id, cap_reached_at from budget where id = ${id} for no key update) as was
    where b.id = was.id
    returning b.organisation_id as organisation, b.training_id as training, b.amount_paise as amount,
      was.cap_reached_at is null and b.cap_reached_at is not null as reached`.execute(tx)

export const makeBudgetsDue = (tx: Tx, organisation: OrganisationId, training: TrainingId | null) =>
  sql`update budget set judge_at = portal_now()
    where organisation_id = ${organisation} and (training_id is null or training_id = ${training})`.execute(tx)

export const upsertBudget = (
  tx: Tx,
  input: {
    readonly organisation: OrganisationId
    readonly training: TrainingId | null
    readonly amount: Paise | null
    readonly spendingCap: boolean
    readonly email: string
  },
) =>
  sql<BudgetRow>`
    insert into budget (organisation_id, training_id, amount_paise, spending_cap, set_by)
    values (${input.organisation}, ${input.training}, ${input.amount}, ${input.spendingCap}, ${input.email})
    on conflict (organisation_id, training_id) do update set amount_paise = excluded.amount_paise,
      spending_cap = excluded.spending_cap, set_by = excluded.set_by, set_at = portal_now(),
      cap_reached_at = case when excluded.spending_cap then budget.cap_reached_at end
    returning *`.execute(tx)

export const lockBudgetOf = (tx: Tx, organisation: OrganisationId, training: TrainingId | null) =>
  sql<BudgetRow>`
    select * from budget where organisation_id = ${organisation} and training_id is not distinct from ${training}
    for update`.execute(tx)

export const selectSpentByTraining = (db: Db, id: OrganisationId) =>
  sql<{ id: string; name: string; spent: number }>`
    select t.id, t.name, coalesce(used.amount, 0)::bigint as spent from training t
    left join (
      select m.training_id, sum(bill.amount) as amount
      from ${billByMachine(sql`select id from machine where organisation_id = ${id}`)} as bill
      join machine m on m.id = bill.machine_id group by m.training_id) as used on used.training_id = t.id
    where t.organisation_id = ${id} and t.removed_at is null order by t.name`.execute(db)

export const selectQuotaAlerts = (tx: Tx) =>
  sql<Quota>`
    with busy as (
      select distinct training_id as id from machine where quota_ends_at is not null
      union select training_id from machine where used_up_at > portal_now() - interval '1 hour'
    ), mine as (
      select m.id, m.organisation_id, m.training_id, m.allotted_minutes
      from busy join machine m on m.training_id = busy.id where m.allotted_minutes is not null
    )
    select organisation_id as organisation, training_id as training, sum(allotted_minutes)::bigint as minutes,
      coalesce(sum(used.seconds), 0)::bigint as seconds
    from mine left join ${usedByMachine(sql`select id from mine`)} as used on used.machine_id = mine.id
    group by organisation_id, training_id`.execute(tx)

export const selectCapReasons = (db: Db, trainings: readonly TrainingId[]) =>
  sql<{ id: TrainingId; training: string; organisation: string; whole: boolean }>`
    select t.id, t.name as training, o.name as organisation, b.training_id is null as whole
    from training t join organisation o on o.id = t.organisation_id
    join budget b on b.organisation_id = t.organisation_id and (b.training_id is null or b.training_id = t.id)
    where t.id = any(${trainings}::uuid[]) and b.cap_reached_at is not null
    order by whole`.execute(db)

export const selectOrganisationCap = (tx: Tx, organisation: OrganisationId) =>
  sql<{ name: string }>`
    select o.name from budget b join organisation o on o.id = b.organisation_id
    where b.organisation_id = ${organisation} and b.training_id is null and b.cap_reached_at is not null`.execute(tx)

export const selectMonth = (db: Db, organisation: OrganisationId) =>
  sql<Month>`
    select now, zone as "timeZone", to_char(first, 'YYYY-MM-DD') as first, first at time zone zone as begins,
      (first + interval '1 month') at time zone zone as ends
    from (select portal_now() as now, time_zone as zone, date_trunc('month', portal_now() at time zone time_zone) as first
      from organisation where id = ${organisation}) as clock`.execute(db)
