import { sql } from 'kysely'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import { setDesiredState } from '@trainyard/platform/server/run/reconcile/desired-state.ts'
import { makePollingDue } from './queries.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Poll intervals of an unpaid order in seconds: `every` applies while the order was opened less than `age` ago. */
const UNPAID: readonly (readonly [age: number, every: number])[] = [
  [15 * MINUTE, MINUTE],
  [HOUR, 5 * MINUTE],
  [DAY, 30 * MINUTE],
  // A bank can confirm a payment up to three days later. Two more days cover a weekend.
  [5 * DAY, 3 * HOUR],
]
/** A paid order can be refunded for half a year, and the provider's event can get lost. */
const PAID: typeof UNPAID = [
  [DAY, HOUR],
  [7 * DAY, DAY],
  [183 * DAY, 7 * DAY],
]

/**
 * Returns the seconds until the next poll; null after the last poll.
 * @param age seconds since a payer last opened the order
 */
export function secondsToNextPoll(age: number, paid: boolean): number | null {
  return (paid ? PAID : UNPAID).find(([until]) => age < until)?.[1] ?? null
}

/** Makes a payment due when the transaction commits. After an error, the retry delay still applies. */
export async function makePaymentDue(tx: Tx, orderId: string): Promise<void> {
  await setDesiredState(tx, 'payment', {
    rows: sql`select id from payment where order_id = ${orderId} for update`,
    backoff: 'keep',
  })
}

/** Polls an unpaid order like a new one, because a payer opens it again. After an error, the retry delay still applies. */
export async function restartPolling(tx: Tx, orderId: string): Promise<void> {
  await makePollingDue(tx, orderId)
}
