import { sql } from 'kysely'
import { type Paise, paise } from '@trainyard/contract/words/money.ts'
import type { Db } from '../../../db/schema.ts'
import type { PrepaidAccountRow } from '../../../db/tables/prepaid-credit.gen.ts'
import { futureRates, paiseSecondsBetween, type RateStep } from '../meter/customer-prices.ts'
import { billUpTo, existedWithin } from '../meter/months.ts'
import { portalNow } from '../../../db/client.ts'

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

interface PrepaidState {
  readonly now: Date
  readonly purchases: readonly Purchase[]
  readonly bought: number
  readonly used: number
  readonly expired: number
  /** Negative if more was used than bought. */
  readonly left: number
  /** Cost per hour of the running machines. */
  readonly perHour: number
  /** Cost per hour of the same machines from each future price change on. */
  readonly steps: readonly Pick<RateStep, 'at' | 'paisePerHour'>[]
  /** Cost per hour if all machines ran. */
  readonly mostPerHour: number
}

/**
 * Returns the purchases with their expired parts. Usage consumes the credit that expires first. Usage that exceeds all
 * credit consumes the next purchase.
 */
export function withExpired(purchases: readonly Purchase[]): Purchase[] {
  const lots = purchases.map((purchase) => ({ ...purchase, rest: 0 }))
  const events = lots.flatMap((lot) => [
    { at: lot.boughtAt, used: lot.usedBefore, lot, isExpiry: false },
    ...(lot.expiresAt === null || lot.usedAtExpiry === null
      ? []
      : [{ at: lot.expiresAt, used: lot.usedAtExpiry, lot, isExpiry: true }]),
  ])
  let [used, owed] = [0, 0]
  const consume = () => {
    for (const lot of lots) {
      const part = Math.min(lot.rest, owed)
      lot.rest -= part
      owed -= part
    }
  }
  lots.sort((a, b) => (a.expiresAt?.getTime() ?? Infinity) - (b.expiresAt?.getTime() ?? Infinity))
  for (const event of events.toSorted((a, b) => a.at.getTime() - b.at.getTime())) {
    owed += Math.max(0, event.used - used)
    used = Math.max(used, event.used)
    consume()
    if (event.isExpiry) {
      event.lot.expired = paise(event.lot.rest)
      event.lot.rest = 0
    } else {
      event.lot.rest = event.lot.credit
      consume()
    }
  }
  return lots.map(({ rest: _rest, ...purchase }) => purchase)
}

/** Returns the credit of an account as it is now, also if a purchase has expired since it was last evaluated. */
export async function prepaidStateOf(db: Db, account: PrepaidAccountRow): Promise<PrepaidState> {
  const now = await portalNow(db)
  const stored: Purchase[] = []
  for (const purchase of await purchasesOf(db, account)) {
    const { usedAtExpiry, expiresAt } = purchase
    const isDue = usedAtExpiry === null && expiresAt !== null && expiresAt <= now
    stored.push(isDue ? { ...purchase, usedAtExpiry: (await usageOf(db, account, expiresAt)).used } : purchase)
  }
  const purchases = withExpired(stored)
  const { used, perHour, mostPerHour } = await usageOf(db, account, now)
  const bought = purchases.reduce((sum, { credit }) => sum + credit, 0)
  const expired = purchases.reduce((sum, each) => sum + (each.expired ?? 0), 0)
  const steps = perHour === 0 ? [] : await futureRatesOf(db, account)
  return { now, purchases, bought, used, expired, left: bought - used - expired, perHour, steps, mostPerHour }
}

/** Returns the usage of an account until now, before tax. */
export async function usedBy(db: Db, account: PrepaidAccountRow): Promise<Paise> {
  return paise((await usageOf(db, account, await portalNow(db))).used)
}

/** Returns the instant at which the credit is used up if the same machines continue to run, or null. */
export function runsOutAt({
  now,
  left,
  perHour,
  steps,
}: Pick<PrepaidState, 'now' | 'left' | 'perHour' | 'steps'>): Date | null {
  if (left <= 0) return null
  let [from, rest, rate] = [now, left, perHour]
  for (const { at, paisePerHour } of steps) {
    const cost = paiseSecondsBetween(rate, [], from, at) / 3_600
    if (cost >= rest) break
    ;[from, rest, rate] = [at, rest - cost, paisePerHour]
  }
  return rate === 0 ? null : new Date(from.getTime() + Math.ceil((rest * 3_600) / rate) * 1_000)
}

async function purchasesOf(db: Db, { id }: PrepaidAccountRow): Promise<Purchase[]> {
  const { rows } = await sql<Purchase>`
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
  return rows
}

/** Usage of an account until an instant, and the rates of its machines. Each machine is rounded as on invoices. */
async function usageOf(
  db: Db,
  { organisation_id, training_id, started_at }: PrepaidAccountRow,
  until: Date,
): Promise<{ used: number; perHour: number; mostPerHour: number }> {
  // The organisation's account covers a training until the training has a separate account.
  const { rows } = await sql<{ used: number; perHour: number; mostPerHour: number }>`
    with mine as (
      select m.id, m.paise_per_hour, m.terminated_at is null as alive, own.id is null as covered,
        least(date_trunc('second', ${until}::timestamptz), own.started_at) as ends
      from machine m left join prepaid_account own on own.training_id = m.training_id and ${training_id}::uuid is null
      where m.organisation_id = ${organisation_id} and (${training_id}::uuid is null or m.training_id = ${training_id})
        and ${existedWithin(sql`${started_at}::timestamptz`, sql`${until}::timestamptz`)}
    )
    select coalesce(sum(used.amount), 0)::bigint as used,
      coalesce(sum(paise_per_hour) filter (where covered and used.running), 0)::bigint as "perHour",
      coalesce(sum(paise_per_hour) filter (where covered and alive), 0)::bigint as "mostPerHour"
    from mine cross join lateral (
      select greatest(0, ${billUpTo(sql`mine.ends`)} - ${billUpTo(sql`${started_at}::timestamptz`)}) as amount,
        coalesce(bool_or(r.stopped_at is null), false) as running
      from run r where r.machine_id = mine.id) as used`.execute(db)
  return rows[0]!
}

async function futureRatesOf(
  db: Db,
  { organisation_id, training_id }: PrepaidAccountRow,
): Promise<Pick<RateStep, 'at' | 'paisePerHour'>[]> {
  const rates = await futureRates(
    db,
    organisation_id,
    sql`exists (select from run r where r.machine_id = m.id and r.stopped_at is null) and case
      when ${training_id}::uuid is not null then m.training_id = ${training_id}
      else not exists (select from prepaid_account own where own.training_id = m.training_id) end`,
  )
  return [...Map.groupBy(rates, ({ at }) => at.getTime()).values()].map((each) => ({
    at: each[0]!.at,
    paisePerHour: each.reduce((sum, { paisePerHour }) => sum + paisePerHour, 0),
  }))
}
