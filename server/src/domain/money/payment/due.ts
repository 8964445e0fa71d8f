import { sql } from 'kysely'
import { notifyWorkers } from '../../../db/listen.ts'
import type { Tx } from '../../../db/schema.ts'

/** Workers listen here for payments to look at. */
export const PAYMENT_DUE = 'payment_due'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** How often an order is looked at while it is so many seconds old: until the age on the left, every so many. */
const UNPAID: readonly (readonly [age: number, every: number])[] = [
  [15 * MINUTE, MINUTE],
  [HOUR, 5 * MINUTE],
  [DAY, 30 * MINUTE],
  // Banks may say yes three days later, and two more are for weekends.
  [5 * DAY, 3 * HOUR],
]
/** Money can be paid back for half a year; the provider says so by itself, and this is for when that gets lost. */
const PAID: typeof UNPAID = [
  [DAY, HOUR],
  [7 * DAY, DAY],
  [183 * DAY, 7 * DAY],
]

/** Seconds until the next look at an order so many seconds old; null: none, until the provider says something. */
export function nextLook(age: number, paid: boolean): number | null {
  return (paid ? PAID : UNPAID).find(([until]) => age < until)?.[1] ?? null
}

/** Has an order looked at as soon as this is committed; a provider that failed is given its pause. */
export async function makePaymentDue(tx: Tx, orderId: string): Promise<void> {
  await sql`
    update payment set generation = generation + 1,
      reconcile_at = case when attempts > 0 then reconcile_at else portal_now() end
    where order_id = ${orderId}`.execute(tx)
  await notifyWorkers(tx, PAYMENT_DUE)
}
