import { sql } from 'kysely'
import { type Paise, paise } from '@trainyard/platform/contract/words/money.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import type { PrepaidAccountRow } from '../tables.gen.ts'
import { futureRates, paiseSecondsBetween } from '@trainyard/usage/server/prices.ts'
import { portalNow } from '@trainyard/platform/server/db/client.ts'
import type { RateStep } from '@trainyard/usage/server/queries.ts'
import { selectPurchases, selectUsage, type Purchase } from './queries.ts'

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
  const { rows } = await selectPurchases(db, id)
  return rows
}

/** Usage of an account until an instant, and the rates of its machines. Each machine is rounded as on invoices. */
async function usageOf(
  db: Db,
  { organisation_id, training_id, started_at }: PrepaidAccountRow,
  until: Date,
): Promise<{ used: number; perHour: number; mostPerHour: number }> {
  // The organisation's account covers a training until the training has a separate account.
  const { rows } = await selectUsage(db, until, training_id, organisation_id, started_at)
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
