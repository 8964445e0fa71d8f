import { type RawBuilder, sql } from 'kysely'
import type { MachineId, OrganisationId, TrainingId } from '@trainyard/contract/words/ids.ts'
import type { Paise } from '@trainyard/contract/words/money.ts'
import { conflict } from '../../../core/errors.ts'
import type { Db, Tx } from '../../../db/schema.ts'

/** Months of bills are those of the supplier, wherever the customer's clocks are: its tax is counted by them. */
export const BILLING_ZONE = 'Asia/Kolkata'

/** A machine's usage of one month. */
export interface MonthLine {
  readonly machineId: MachineId
  readonly machine: string
  readonly training: string
  readonly seconds: number
  readonly amount: Paise
}

const instantOf = (day: RawBuilder<unknown>) => sql`(${day}::timestamp at time zone ${BILLING_ZONE})`

/** Runs of `r` up to an instant of `place`: seconds, and paise rounded half up once. */
const secondsUpTo = (end: RawBuilder<unknown>) => sql`greatest(0, date_part('epoch',
  least(coalesce(r.stopped_at, date_trunc('second', portal_now())), ${end}) - r.started_at)::bigint)`
const billUpTo = (end: RawBuilder<unknown>) =>
  sql`div(2 * coalesce(sum(${secondsUpTo(end)} * r.paise_per_hour), 0) + 3600, 7200)`
/** Of the machine `m`: there was something to bill between two instants. Others are passed over, as their bill is nothing. */
const livedWithin = (from: RawBuilder<unknown>, to: RawBuilder<unknown>) =>
  sql`(m.created_at, coalesce(m.terminated_at, 'infinity')) overlaps (${from}, ${to})`

/**
 * A line a machine that used something in a month and was not charged for that month: `(organisation_id, machine_id,
 * machine, training, seconds, amount)`. A machine's bill is rounded once over all that it ran, and months must add up to
 * it: so a month's amount is the bill as of its end less the bill as of its beginning.
 * @param month its first day, YYYY-MM-01
 * @param of what else holds of the machine `m`
 */
const unchargedLines = (month: string, of: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  select m.organisation_id, m.id as machine_id, m.number, m.name as machine, t.name as training, used.seconds, used.amount
  from (select ${instantOf(sql`${month}::date`)} as begins,
      ${instantOf(sql`(${month}::date + interval '1 month')`)} as ends) as month
    join machine m on ${of} and ${livedWithin(sql`month.begins`, sql`month.ends`)}
    join training t on t.id = m.training_id
    cross join lateral (
      select coalesce(sum(${secondsUpTo(sql`month.ends`)}), 0)::bigint
          - coalesce(sum(${secondsUpTo(sql`month.begins`)}), 0)::bigint as seconds,
        (${billUpTo(sql`month.ends`)} - ${billUpTo(sql`month.begins`)})::bigint as amount
      from all_run r where r.machine_id = m.id) as used
  where used.amount > 0
    and not exists (select from charged_line c where c.machine_id = m.id and c.month = ${month}::date))`

/** The use of a training's machines between two instants. */
export interface TrainingUse {
  readonly organization: string
  readonly training: string
  readonly trainingId: TrainingId
  readonly amount: Paise
}

/** Returns what each training used between two instants, by the same rule as a month's lines, charged or not. */
export async function usedBetween(db: Db, from: Date, to: Date): Promise<TrainingUse[]> {
  const { rows } = await sql<TrainingUse>`
    select o.name as organization, t.name as training, t.id as "trainingId", sum(used.amount)::bigint as amount
    from machine m join training t on t.id = m.training_id join organisation o on o.id = m.organisation_id
    cross join lateral (
      select (${billUpTo(sql`${to}::timestamptz`)} - ${billUpTo(sql`${from}::timestamptz`)})::bigint as amount
      from all_run r where r.machine_id = m.id) as used
    where ${livedWithin(sql`${from}::timestamptz`, sql`${to}::timestamptz`)}
    group by o.name, t.name, t.id having sum(used.amount) > 0`.execute(db)
  return rows
}

/** Returns the lines of an organisation's month that nothing charges yet, training by training, as ordered. */
export async function unchargedOf(db: Db, organisation: OrganisationId, month: string): Promise<MonthLine[]> {
  const { rows } = await sql<MonthLine>`
    select machine_id as "machineId", machine, training, seconds, amount
    from ${unchargedLines(month, sql`m.organisation_id = ${organisation}`)} as line
    order by lower(training), training, number`.execute(db)
  return rows
}

/** Returns what each organisation has used in a month that nothing charges yet, in paise; those with something. */
export async function unchargedOfAll(db: Db, month: string): Promise<{ id: OrganisationId; amount: Paise }[]> {
  const { rows } = await sql<{ id: OrganisationId; amount: Paise }>`
    select organisation_id as id, sum(amount)::bigint as amount from ${unchargedLines(month, sql`true`)} as line
    group by organisation_id`.execute(db)
  return rows
}

/** Returns an organisation's usage of the last months that have ended, newest first, that nothing charges yet. */
export async function unchargedMonths(
  db: Db,
  organisation: OrganisationId,
  months: number,
): Promise<{ month: string; amount: Paise }[]> {
  const found = []
  for (const month of await lastMonths(db, months)) {
    const lines = await unchargedOf(db, organisation, month)
    if (lines.length > 0) found.push({ month, amount: lines.reduce((sum, { amount }) => sum + amount, 0) as Paise })
  }
  return found
}

/** Returns the first days of the last months that have ended, newest first: YYYY-MM-01. */
export async function lastMonths(db: Db, count: number): Promise<string[]> {
  const { rows } = await sql<{ month: string }>`
    select to_char(date_trunc('month', portal_now() at time zone ${BILLING_ZONE}) - make_interval(months => back), 'YYYY-MM-DD') as month
    from generate_series(1, ${count}::int) as back order by back`.execute(db)
  return rows.map(({ month }) => month)
}

/**
 * Charges lines of a month by an invoice that stands in the ledger. A line is charged once: whoever comes second fails.
 */
export async function chargeLines(
  tx: Tx,
  organisation: OrganisationId,
  month: string,
  invoice: string,
  lines: readonly MonthLine[],
): Promise<void> {
  await sql`
    insert into charged_line (machine_id, month, organisation_id, seconds, amount_paise, invoice)
    select id, ${month}::date, ${organisation}, seconds, amount, ${invoice}
    from unnest(${lines.map(({ machineId }) => machineId)}::uuid[], ${lines.map(({ seconds }) => seconds)}::bigint[],
      ${lines.map(({ amount }) => amount)}::bigint[]) as line (id, seconds, amount)`.execute(tx)
}

/**
 * Charges all that is left of a month by an invoice that was typed by hand, whatever its amount. The caller holds the
 * organisation's charging.
 * @throws Problem conflict when the month has not ended, or nothing is left of it
 */
export async function coverMonth(
  tx: Tx,
  { id, name }: { readonly id: OrganisationId; readonly name: string },
  month: string,
  invoice: string,
): Promise<void> {
  const first = `${month}-01`
  const [newest] = await lastMonths(tx, 1)
  if (first > newest!) throw conflict('That month has not ended.')
  const lines = await unchargedOf(tx, id, first)
  if (lines.length === 0) throw conflict(`${name} has no usage of that month that is not invoiced already.`)
  await chargeLines(tx, id, first, invoice, lines)
}

/** Of two who charge one organisation the second waits for the first, and finds what is left. */
export async function holdCharging(tx: Tx, organisation: OrganisationId): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('charging'), hashtext(${organisation}::text))`.execute(tx)
}
