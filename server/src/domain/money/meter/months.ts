import { type RawBuilder, sql } from 'kysely'
import type { MachineId, OrganisationId, TrainingId } from '@trainyard/contract/words/ids.ts'
import type { Paise } from '@trainyard/contract/words/money.ts'
import { conflict } from '../../../core/errors.ts'
import type { Db, Tx } from '../../../db/schema.ts'

/** Zone of the supplier, not of the customer, because the supplier's tax is due by month in this zone. */
export const BILLING_ZONE = 'Asia/Kolkata'

/** Returns the supplier's current day, which dates documents. */
export async function supplierToday(db: Db): Promise<string> {
  const { rows } = await sql<{ day: string }>`
    select to_char(portal_now() at time zone ${BILLING_ZONE}, 'YYYY-MM-DD') as day`.execute(db)
  return rows[0]!.day
}

export interface MonthLine {
  /** YYYY-MM-01. */
  readonly month: string
  readonly machineId: MachineId
  readonly machine: string
  readonly training: string
  /** Name of the learner, or the e-mail address. */
  readonly learner?: string
  readonly seconds: number
  readonly amount: Paise
  /** Part of the amount for usage before a change of the tax rate; 0 without a change. */
  readonly beforeChange: Paise
}

const startInZone = (day: RawBuilder<unknown>) => sql`(${day}::timestamp at time zone ${BILLING_ZONE})`

/** SQL: seconds of the run `r` until an instant. Paise are rounded half up once over all runs. */
const secondsUpTo = (end: RawBuilder<unknown>) => sql`greatest(0, date_part('epoch',
  least(coalesce(r.stopped_at, date_trunc('second', portal_now())), ${end}) - r.started_at)::bigint)`
/** SQL: bill of the runs `r` of a machine at an instant, in paise, rounded half up. */
export const billUpTo = (end: RawBuilder<unknown>) =>
  sql`div(2 * coalesce(sum(${secondsUpTo(end)} * r.paise_per_hour), 0) + 3600, 7200)`
/** SQL: false for a machine `m` that cannot have usage. */
export const existedWithin = (from: RawBuilder<unknown>, to: RawBuilder<unknown>) =>
  sql`(m.created_at, coalesce(m.terminated_at, 'infinity')) overlaps (${from}, ${to})`

/**
 * SQL: usage that is not charged. The amount of a month is the bill at its end minus the bill at its start, so that
 * months add up.
 * @param month YYYY-MM-01
 * @param change first day of a tax rate
 */
const unchargedLines = (
  month: string,
  of: RawBuilder<unknown>,
  change: string | null = null,
): RawBuilder<unknown> => sql`(
  select ${month} as month, m.organisation_id, m.id as machine_id, m.number, m.name as machine, t.name as training, used.seconds, used.amount,
    used.before_change, coalesce((select u.name from portal_user u
      where u.email = m.email and u.organisation_id = m.organisation_id), m.email) as learner
  from (select ${startInZone(sql`${month}::date`)} as begins,
      ${startInZone(sql`(${month}::date + interval '1 month')`)} as ends,
      ${startInZone(sql`greatest(${month}::date, least(${change}::date, (${month}::date + interval '1 month')::date))`)} as changes) as month
    join machine m on ${of} and ${existedWithin(sql`month.begins`, sql`month.ends`)}
    join training t on t.id = m.training_id
    cross join lateral (
      select coalesce(sum(${secondsUpTo(sql`month.ends`)}), 0)::bigint
          - coalesce(sum(${secondsUpTo(sql`month.begins`)}), 0)::bigint as seconds,
        (${billUpTo(sql`month.ends`)} - ${billUpTo(sql`month.begins`)})::bigint as amount,
        ${change === null ? sql`0` : sql`(${billUpTo(sql`month.changes`)} - ${billUpTo(sql`month.begins`)})`}::bigint as before_change
      from run r where r.machine_id = m.id) as used
  where used.amount > 0
    and not exists (select from charged_line c where c.machine_id = m.id and c.month = ${month}::date))`

export interface TrainingUse {
  readonly organization: string
  readonly training: string
  readonly trainingId: TrainingId
  readonly amount: Paise
}

export async function usedBetween(db: Db, from: Date, to: Date): Promise<TrainingUse[]> {
  const { rows } = await sql<TrainingUse>`
    select o.name as organization, t.name as training, t.id as "trainingId", sum(used.amount)::bigint as amount
    from machine m join training t on t.id = m.training_id join organisation o on o.id = m.organisation_id
    cross join lateral (
      select (${billUpTo(sql`${to}::timestamptz`)} - ${billUpTo(sql`${from}::timestamptz`)})::bigint as amount
      from run r where r.machine_id = m.id) as used
    where ${existedWithin(sql`${from}::timestamptz`, sql`${to}::timestamptz`)}
    group by o.name, t.name, t.id having sum(used.amount) > 0`.execute(db)
  return rows
}

export async function unchargedLinesOf(
  db: Db,
  organisation: OrganisationId,
  month: string,
  change: string | null = null,
): Promise<MonthLine[]> {
  const { rows } = await sql<MonthLine>`
    select month, machine_id as "machineId", machine, training, learner, seconds, amount, before_change as "beforeChange"
    from ${unchargedLines(month, sql`m.organisation_id = ${organisation}`, change)} as line
    order by lower(training), training, number`.execute(db)
  return rows
}

/** Returns the uncharged lines of a month and of the earlier months that were carried forward, oldest month first. */
export async function linesToInvoice(
  db: Db,
  organisation: OrganisationId,
  month: string,
  change: string | null,
): Promise<MonthLine[]> {
  const carried = await db
    .selectFrom('carried_month')
    .select('month')
    .where('organisation_id', '=', organisation)
    .where('month', '<', month)
    .orderBy('month')
    .execute()
  const lines = await unchargedLinesOf(db, organisation, month, change)
  if (lines.length === 0) return []
  const earlier = []
  for (const each of carried) earlier.push(...(await unchargedLinesOf(db, organisation, each.month, change)))
  return [...earlier, ...lines]
}

export async function carryForward(tx: Tx, organisation: OrganisationId, month: string): Promise<void> {
  await tx
    .insertInto('carried_month')
    .values({ organisation_id: organisation, month })
    .onConflict((on) => on.doNothing())
    .execute()
}

/**
 * Returns the uncharged amounts in paise. Omits organisations without such an amount, also if their month was carried
 * forward.
 */
export async function unchargedByOrganisation(db: Db, month: string): Promise<{ id: OrganisationId; amount: Paise }[]> {
  const { rows } = await sql<{ id: OrganisationId; amount: Paise }>`
    select organisation_id as id, sum(amount)::bigint as amount from ${unchargedLines(month, sql`true`)} as line
    where not exists (select from carried_month c
      where c.organisation_id = line.organisation_id and c.month = ${month}::date)
    group by organisation_id`.execute(db)
  return rows
}

export async function unchargedMonths(
  db: Db,
  organisation: OrganisationId,
  months: number,
): Promise<{ month: string; amount: Paise }[]> {
  const found = []
  for (const month of await lastMonths(db, months)) {
    const lines = await unchargedLinesOf(db, organisation, month)
    if (lines.length > 0) found.push({ month, amount: lines.reduce((sum, { amount }) => sum + amount, 0) as Paise })
  }
  return found
}

export async function lastMonths(db: Db, count: number): Promise<string[]> {
  const { rows } = await sql<{ month: string }>`
    select to_char(date_trunc('month', portal_now() at time zone ${BILLING_ZONE}) - make_interval(months => back), 'YYYY-MM-DD') as month
    from generate_series(1, ${count}::int) as back order by back`.execute(db)
  return rows.map(({ month }) => month)
}

/** Charges lines. A unique constraint prevents a second charge. */
export async function chargeLines(
  tx: Tx,
  organisation: OrganisationId,
  invoice: string,
  lines: readonly MonthLine[],
): Promise<void> {
  await sql`
    insert into charged_line (machine_id, month, organisation_id, seconds, amount_paise, invoice)
    select id, month, ${organisation}, seconds, amount, ${invoice}
    from unnest(${lines.map(({ machineId }) => machineId)}::uuid[], ${lines.map(({ seconds }) => seconds)}::bigint[],
      ${lines.map(({ amount }) => amount)}::bigint[], ${lines.map(({ month }) => month)}::date[])
      as line (id, seconds, amount, month)`.execute(tx)
  await sql`delete from carried_month where organisation_id = ${organisation}
    and month = any(${lines.map(({ month }) => month)}::date[])`.execute(tx)
}

/**
 * Marks a month's usage as covered by an invoice. The caller must hold `lockCharging`.
 * @throws Problem conflict if the month has not ended or no usage is left
 */
export async function coverMonth(
  tx: Tx,
  { id, name }: { readonly id: OrganisationId; readonly name: string },
  month: string,
  invoice: string,
): Promise<void> {
  const first = `${month}-01`
  const [newest] = await lastMonths(tx, 1)
  if (first > newest!) throw conflict('This month has not ended.')
  const lines = await unchargedLinesOf(tx, id, first)
  if (lines.length === 0) throw conflict(`${name} has no uninvoiced usage in this month.`)
  await chargeLines(tx, id, invoice, lines)
}

/** Serialises charges, so that usage is never charged twice. */
export async function lockCharging(tx: Tx, organisation: OrganisationId): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('charging'), hashtext(${organisation}::text))`.execute(tx)
}
