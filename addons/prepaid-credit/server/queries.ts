import { sql } from 'kysely'
import type { OverdueDays } from '@trainyard/invoices/contract/payment-terms.ts'
import { NIGHT_STOP } from '../contract/credit-words.ts'
import type {
  OrganisationId,
  OverdueNoticeId,
  PrepaidAccountId,
  TrainingId,
} from '@trainyard/platform/contract/words/ids.ts'
import type { Paise } from '@trainyard/platform/contract/words/money.ts'
import type { Tx, Db } from '@trainyard/platform/server/db/schema.ts'
import type { PrepaidAccountRow } from '../tables.gen.ts'
import { BILLING_ZONE, SUPPLIER_TODAY } from '@trainyard/templates/server/price-at.ts'
import { existedWithin, billUpTo } from '@trainyard/usage/server/queries.ts'

export const isDue = sql`a.judge_at <= portal_now() and o.removed_at is null`

const BATCH_SIZE = 20

export interface OverduePolicy extends OverdueDays {
  readonly isOwn: boolean
  readonly pausedUntil: string | null
  /** True while `pausedUntil` has not passed. */
  readonly isPaused: boolean
}

export interface PolicyRow extends OverduePolicy {
  readonly organisation: OrganisationId
}

export interface Purchase {
  readonly payment: string
  readonly gross: Paise
  /** Before tax, minus the share of returned money. */
  readonly credit: Paise
  readonly boughtAt: Date
  /** Usage of the account until the purchase. */
  readonly usedBefore: number
  readonly expiresAt: Date | null
  /** Unused part at the expiry, minus money returned later; null before the expiry. */
  readonly expired: Paise | null
  /** Usage of the account until the expiry; null before. */
  readonly usedAtExpiry: number | null
}

export interface Subject {
  readonly id: TrainingId
  readonly training: string
  readonly organisation: OrganisationId
  readonly name: string
  /** Name of the prepaid credit, if it is used up and has a hard limit. */
  readonly usedUp: string | null
  readonly isStopped: boolean
}

export const lockDueAccounts = (tx: Tx) =>
  sql<PrepaidAccountRow>`
    select a.* from prepaid_account a join organisation o on o.id = a.organisation_id
    where ${isDue} order by a.judge_at limit ${BATCH_SIZE} for update of a skip locked`.execute(tx)

export const expirePurchase = (
  tx: Tx,
  expired: Paise,
  usedAtExpiry: number | null,
  organisation: OrganisationId,
  payment: string,
) =>
  sql`update prepaid_purchase set expired_paise = ${expired}, used_at_expiry_paise = ${usedAtExpiry} where organisation_id = ${organisation}
    and payment = ${payment} and expired_paise is null`.execute(tx)

export const updateEvaluation = (tx: Tx, isLow: boolean, isUsedUp: boolean, next: Date, account: PrepaidAccountId) =>
  sql`
    update prepaid_account set low_since = case when ${isLow} then coalesce(low_since, portal_now()) end,
      used_up_at = case when ${isUsedUp} then coalesce(used_up_at, portal_now()) end, judge_at = ${next}
    where id = ${account}`.execute(tx)

export const makeAccountsDue = (tx: Tx, organisation: OrganisationId) =>
  sql`update prepaid_account set judge_at = portal_now() where organisation_id = ${organisation}`.execute(tx)

export const selectAccounts = (db: Db, id: OrganisationId) =>
  sql<PrepaidAccountRow & { training: string | null }>`
    select a.*, t.name as training from prepaid_account a left join training t on t.id = a.training_id
    where a.organisation_id = ${id} order by a.training_id nulls first, t.name`.execute(db)

export const selectLimit = (db: Db, organisation: OrganisationId) =>
  sql<{ enforced: boolean; limit: Paise; month: string }>`
    select coalesce(t.limit_enforced, false) as enforced, o.credit_limit_paise as limit,
      to_char(portal_now() at time zone ${BILLING_ZONE}, 'YYYY-MM') as month
    from organisation o left join credit_terms t on t.organisation_id = o.id where o.id = ${organisation}`.execute(db)

export const selectPolicies = (db: Db, organisation: OrganisationId | null) =>
  sql<PolicyRow>`
    select o.id as organisation, coalesce(t.own_policy, false) as "isOwn",
      case when t.own_policy then t.warn_days else s.warn_days end as "warnDays",
      case when t.own_policy then t.hold_days else s.hold_days end as "holdDays",
      case when t.own_policy then t.stop_days else s.stop_days end as "stopDays",
      to_char(t.paused_until, 'YYYY-MM-DD') as "pausedUntil", coalesce(t.paused_until >= ${SUPPLIER_TODAY}, false) as "isPaused"
    from organisation o cross join supplier s left join credit_terms t on t.organisation_id = o.id
    where o.removed_at is null and (o.id = ${organisation}::uuid or (${organisation}::uuid is null
      and exists (select from ledger_balance b where b.organisation_id = o.id and b.invoice_paise > b.payment_paise)))`.execute(
    db,
  )

export const deleteOtherStops = (tx: Tx, organisations: readonly OrganisationId[]) =>
  sql<{ id: OrganisationId }>`
    delete from overdue_stop where organisation_id <> all(${organisations}::uuid[])
    returning organisation_id as id`.execute(tx)

export const insertStops = (tx: Tx, organisations: readonly OrganisationId[], invoices: readonly string[]) =>
  sql<{ id: OrganisationId }>`
    insert into overdue_stop (organisation_id)
    select o.id from unnest(${organisations}::uuid[], ${invoices}::text[])
        as due (organisation, invoice)
      join organisation o on o.id = due.organisation
      join overdue_notice n on n.organisation_id = o.id and n.invoice = due.invoice and n.stage = 'stop'
    where portal_now() >= ((n.at at time zone o.time_zone)::date + time '${sql.raw(NIGHT_STOP)}') at time zone o.time_zone
    on conflict do nothing returning organisation_id as id`.execute(tx)

export const selectPurchases = (db: Db, id: PrepaidAccountId) =>
  sql<Purchase>`
    select p.payment, p.gross_paise as gross, p.credit_paise
        - div(p.credit_paise::numeric * least(p.gross_paise, returned.paise), p.gross_paise)::bigint as credit,
      p.bought_at as "boughtAt", p.used_before_paise as "usedBefore", p.used_at_expiry_paise as "usedAtExpiry",
      p.expires_at as "expiresAt", null::bigint as expired
    from prepaid_purchase p cross join lateral (
      select coalesce(sum(e.amount_paise), 0) as paise from ledger_entry e where e.organisation_id = p.organisation_id
        and ((e.kind = 'refund' and e.refund_of = p.payment) or (e.kind = 'payment reversal' and e.reverses = p.payment))
    ) as returned
    where p.account_id = ${id} order by p.bought_at, (select e.id from ledger_entry e
      where e.organisation_id = p.organisation_id and e.kind = 'payment' and e.reference = p.payment)`.execute(db)

export const selectUsage = (
  db: Db,
  until: Date,
  training: TrainingId | null,
  organisation: OrganisationId,
  startedAt: Date,
) =>
  sql<{ used: number; perHour: number; mostPerHour: number }>`
    with mine as (
      select m.id, m.paise_per_hour, m.terminated_at is null as alive, own.id is null as covered,
        least(date_trunc('second', ${until}::timestamptz), own.started_at) as ends
      from machine m left join prepaid_account own on own.training_id = m.training_id and ${training}::uuid is null
      where m.organisation_id = ${organisation} and (${training}::uuid is null or m.training_id = ${training})
        and ${existedWithin(sql`${startedAt}::timestamptz`, sql`${until}::timestamptz`)}
    )
    select coalesce(sum(used.amount), 0)::bigint as used,
      coalesce(sum(paise_per_hour) filter (where covered and used.running), 0)::bigint as "perHour",
      coalesce(sum(paise_per_hour) filter (where covered and alive), 0)::bigint as "mostPerHour"
    from mine cross join lateral (
      select greatest(0, ${billUpTo(sql`mine.ends`)} - ${billUpTo(sql`${startedAt}::timestamptz`)}) as amount,
        coalesce(bool_or(r.stopped_at is null), false) as running
      from run r where r.machine_id = mine.id) as used`.execute(db)

export const upsertAccount = (tx: Tx, training: TrainingId | null, organisation: OrganisationId) =>
  sql`
    insert into prepaid_account (organisation_id, training_id, hard_limit, valid_days)
    select o.id, ${training}::uuid, coalesce(a.hard_limit, false), a.valid_days
    from organisation o left join prepaid_account a on a.organisation_id = o.id and a.training_id is null
    where o.id = ${organisation} on conflict (organisation_id, training_id) do nothing`.execute(tx)

export const insertPurchase = (
  tx: Tx,
  input: {
    readonly payment: string
    readonly gross: Paise
    readonly credit: Paise
    readonly used: Paise
    readonly account: PrepaidAccountId
  },
) =>
  sql`
    insert into prepaid_purchase (account_id, organisation_id, payment, gross_paise, credit_paise,
      used_before_paise, expires_at)
    select a.id, a.organisation_id, ${input.payment}::text, ${input.gross}::bigint, ${input.credit}::bigint, ${input.used}::bigint,
      ((portal_now() at time zone o.time_zone)::date + a.valid_days + 1)::timestamp at time zone o.time_zone
    from prepaid_account a join organisation o on o.id = a.organisation_id where a.id = ${input.account}`.execute(tx)

export const makeAccountDue = (tx: Tx, account: PrepaidAccountId) =>
  sql`update prepaid_account set judge_at = portal_now() where id = ${account}`.execute(tx)

export const updateRefreshed = (tx: Tx, left: number, account: PrepaidAccountId) =>
  sql`
    update prepaid_account set judge_at = portal_now(), used_up_at = case when ${left}::bigint > 0 then null else used_up_at end,
      low_since = case when ${left}::bigint > 0 and ${left}::bigint >= low_paise then null else low_since end
    where id = ${account}`.execute(tx)

export const selectSubjects = (db: Db, trainings: readonly TrainingId[]) =>
  sql<Subject>`
    select t.id, t.name as training, o.id as organisation, o.name,
      case when p.hard_limit and p.used_up_at is not null then
        case when p.training_id is null then o.name else t.name end end as "usedUp",
      exists (select from overdue_stop s where s.organisation_id = o.id) as "isStopped"
    from training t join organisation o on o.id = t.organisation_id
      left join lateral (select training_id, hard_limit, used_up_at from prepaid_account a where a.organisation_id = o.id
        and (a.training_id = t.id or a.training_id is null) order by a.training_id nulls last limit 1) as p on true
    where t.id = any(${trainings}::uuid[])`.execute(db)

export const selectEnforcedLimit = (db: Db, organisation: OrganisationId) =>
  sql`
    select from credit_terms where organisation_id = ${organisation} and limit_enforced`.execute(db)

export const selectStops = (tx: Tx, trainings: readonly TrainingId[]) =>
  sql<{ id: OrganisationId }>`
    select organisation_id as id from overdue_stop s
    where exists (select from training t where t.id = any(${trainings}::uuid[]) and t.organisation_id = s.organisation_id)`.execute(
    tx,
  )

export const deleteStop = (tx: Tx, id: OrganisationId) =>
  sql`delete from overdue_stop where organisation_id = ${id}`.execute(tx)

export const updateNoticeSent = (db: Db, delivered: readonly string[], id: OverdueNoticeId) =>
  sql`update overdue_notice set sent_to = ${delivered} where id = ${id} and sent_to is null`.execute(db)
