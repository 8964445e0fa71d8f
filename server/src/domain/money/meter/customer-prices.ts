import { type RawBuilder, sql } from 'kysely'
import type { MachineId, OrganisationId, TrainingId } from '@trainyard/contract/words/ids.ts'
import { BROWSER_ACCESS_SURCHARGE, type Paise } from '@trainyard/contract/words/money.ts'
import type { Db, Tx } from '../../../db/schema.ts'
import type { RunTable } from '../../../db/tables/usage.gen.ts'
import { BILLING_ZONE } from './months.ts'

/**
 * SQL: hourly price of machine `m` on a day, in paise: the price agreed with its customer, otherwise the price copied
 * from the template when it was ordered.
 */
const machinePriceOn = (day: RawBuilder<unknown>): RawBuilder<number> => sql`coalesce(
  machine_price_on(m.organisation_id, (select o.template_name from machine_order o where o.id = m.order_id), m.vm_size,
    m.licence, ${day}) + case when m.guacamole then ${sql.lit(BROWSER_ACCESS_SURCHARGE)} else 0 end,
  m.order_paise_per_hour, m.paise_per_hour)`

const dayOf = (instant: RawBuilder<unknown>): RawBuilder<string> =>
  sql`(${instant} at time zone ${sql.lit(BILLING_ZONE)})::date`

/**
 * Locks an organisation's prices for the transaction. `use` (shared) is for orders, which copy a price; `change`
 * (exclusive) waits for them and blocks new ones.
 */
export async function lockPrices(tx: Tx, organisation: OrganisationId, to: 'use' | 'change'): Promise<void> {
  const key = sql`hashtext('prices'), hashtext(${organisation}::text)`
  await (
    to === 'use' ? sql`select pg_advisory_xact_lock_shared(${key})` : sql`select pg_advisory_xact_lock(${key})`
  ).execute(tx)
}

/** Returns whether one of the organisations has its own prices. */
export async function haveCustomerPrices(db: Db, organisations: readonly OrganisationId[]): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select exists (select from customer_price
    where organisation_id = any(${[...new Set(organisations)]}::uuid[])) as found`.execute(db)
  return rows[0]!.found
}

/** Sets the current price of machines, which new usage records copy. */
export async function setPresentPrices(tx: Tx, machines: readonly MachineId[]): Promise<void> {
  await sql`
    update machine set paise_per_hour = priced.price,
      order_paise_per_hour = coalesce(machine.order_paise_per_hour, machine.paise_per_hour)
    from (select m.id, ${machinePriceOn(sql`supplier_today()`)} as price from machine m
      where m.id = any(${machines}::uuid[]) order by m.id) as priced
    where machine.id = priced.id and machine.paise_per_hour <> priced.price`.execute(tx)
}

interface Period extends Pick<
  RunTable,
  'machine_id' | 'organisation_id' | 'hidden_at' | 'closed_by' | 'closed_told_at' | 'stopped_at'
> {
  readonly run: number
  readonly started_at: Date
  readonly price: Paise
  readonly currentPrice: Paise
}

/**
 * Splits the latest usage record of each machine at the changes of its price, so that each record has a single price.
 * The caller must hold locks on the machines.
 */
export async function splitRuns(tx: Tx, machines: readonly MachineId[]): Promise<void> {
  const { rows } = await sql<Period>`
    select r.id as run, r.machine_id, r.organisation_id, r.hidden_at, period.at as started_at, r.stopped_at, r.closed_by,
      r.closed_told_at, price.paise as price, r.paise_per_hour as "currentPrice"
    from machine m
      cross join lateral (select * from run where machine_id = m.id order by started_at desc, id desc limit 1) as r
      cross join lateral (
        select r.started_at as at
        union
        select change.at from (select distinct valid_from::timestamp at time zone ${sql.lit(BILLING_ZONE)} as at
          from customer_price p where p.organisation_id = m.organisation_id) as change
        where change.at > r.started_at and change.at < coalesce(r.stopped_at, portal_now())) as period
      cross join lateral (select ${machinePriceOn(dayOf(sql`period.at`))} as paise) as price
    where m.id = any(${machines}::uuid[]) order by r.id, period.at`.execute(tx)
  const split = [...Map.groupBy(rows, ({ run }) => run).values()].flatMap(periodsToStore)
  await sql`
    update run set paise_per_hour = period.price, stopped_at = period.stopped_at, closed_by = period.closed_by,
      closed_told_at = period.closed_told_at
    from jsonb_to_recordset(${JSON.stringify(split.filter(({ isFirst }) => isFirst))}::jsonb) as period (
      run bigint, price bigint, stopped_at timestamptz, closed_by text, closed_told_at timestamptz)
    where run.id = period.run`.execute(tx)
  await sql`
    insert into run (machine_id, organisation_id, hidden_at, started_at, stopped_at, paise_per_hour, opened_by,
      opened_told_at, closed_by, closed_told_at)
    select machine_id, organisation_id, hidden_at, started_at, stopped_at, price, 'price changed', started_at, closed_by,
      closed_told_at
    from jsonb_to_recordset(${JSON.stringify(split.filter(({ isFirst }) => !isFirst))}::jsonb) as period (
      machine_id uuid, organisation_id uuid, hidden_at timestamptz, started_at timestamptz, stopped_at timestamptz,
      price bigint, closed_by text, closed_told_at timestamptz)`.execute(tx)
}

/** Joins periods of equal price and ends each where the next one begins. Returns none if the record is right. */
function periodsToStore(all: readonly Period[]): (Period & { readonly isFirst: boolean })[] {
  const periods = all.filter(({ price }, index) => price !== all[index - 1]?.price)
  if (periods.length === 1 && periods[0]!.price === periods[0]!.currentPrice) return []
  return periods.map((period, index) => {
    const end = periods[index + 1]?.started_at
    const ending =
      end === undefined ? {} : { stopped_at: end, closed_by: 'price changed' as const, closed_told_at: end }
    return { ...period, ...ending, isFirst: index === 0 }
  })
}

/**
 * Undoes the splits at price changes after `instant`. The provider reports that the machine stopped at `instant`, so it
 * used none of the later prices.
 */
export async function joinRunsAfter(tx: Tx, machine: MachineId, instant: Date): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ started_at: Date }>`
      delete from run r where r.machine_id = ${machine} and r.stopped_at is null and r.opened_by = 'price changed'
        and r.started_at > ${instant} and exists (select from run before where before.machine_id = r.machine_id
          and before.stopped_at = r.started_at and before.closed_by = 'price changed')
      returning started_at`.execute(tx)
    const [removed] = rows
    if (removed === undefined) return
    await tx
      .updateTable('run')
      .set({ stopped_at: null, closed_by: null, closed_told_at: null })
      .where('machine_id', '=', machine)
      .where('stopped_at', '=', removed.started_at)
      .where('closed_by', '=', 'price changed')
      .execute()
  }
}

/** Total hourly price of a set of machines from an instant on. */
export interface RateStep {
  readonly training: TrainingId
  readonly at: Date
  readonly paisePerHour: number
}

/**
 * Returns the total hourly price of machines `m` after each future price change of their organisation, by training.
 * Empty if no change is planned.
 * @param of condition on `m`
 */
export async function futureRates(
  db: Db,
  organisation: OrganisationId,
  of: RawBuilder<unknown>,
): Promise<readonly RateStep[]> {
  const { rows } = await sql<RateStep>`
    select m.training_id as training, change.at, sum(${machinePriceOn(dayOf(sql`change.at`))})::float8 as "paisePerHour"
    from price_change change join machine m on m.organisation_id = change.organisation_id
    where change.organisation_id = ${organisation} and change.at > portal_now() and m.terminated_at is null and ${of}
    group by m.training_id, change.at order by change.at`.execute(db)
  return rows
}

/**
 * Returns the cost between two instants in paise per hour times seconds, so that no fraction is lost before the caller
 * divides by 3,600.
 * @param rate before the first step, in paise per hour
 */
export function paiseSecondsBetween(
  rate: number,
  steps: readonly Pick<RateStep, 'at' | 'paisePerHour'>[],
  from: Date,
  to: Date,
): number {
  const changes = [{ at: new Date(0), paisePerHour: rate }, ...steps]
  return changes.reduce((sum, { at, paisePerHour }, index) => {
    const begins = Math.max(at.getTime(), from.getTime())
    const ends = Math.min(changes[index + 1]?.at.getTime() ?? Number.POSITIVE_INFINITY, to.getTime())
    return sum + (Math.max(0, ends - begins) / 1000) * paisePerHour
  }, 0)
}
