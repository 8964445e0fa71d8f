import { createHmac, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { OrganisationId } from '../contract/words/ids.ts'
import { brokenInvariants } from '../server/invariants/check.ts'
import { type PaymentInRecord, paymentDifferences } from '@trainyard/payments/server/compare-payments.ts'
import { emulatedRazorpay } from './adapters.ts'
import type { Reply } from './caller.ts'
import { type TestEnvironment } from './environment.ts'
import { until } from './until.ts'

/** A payment as the checkout returns it to the browser, together with its order. */
export interface Paid {
  readonly payment_id: string
  readonly order_id: string
  readonly signature: string
  /** In paise. */
  readonly amount: number
}

/** A line of the account: rupees received, or refunded if negative. */
interface Line {
  readonly id: string
  readonly payment: number
}

/** The admin of a separate organisation, so that orders and payments do not affect other tests. */
export interface Payer {
  readonly organisation: OrganisationId
  readonly email: string
  order(amount: unknown, headers?: Record<string, string>): Promise<Reply>
  /** Pays an order in the checkout, without a browser. */
  payInCheckout(ordered: { order_id: string; amount: number }, more?: object): Promise<Paid>
  /** Orders and pays an amount in rupees, without reporting the payment to the portal. */
  paidOrder(amount?: number): Promise<Paid>
  verify(paid: Paid): Promise<Reply>
  payments(): Promise<Line[]>
  credited(id: string): Promise<Line[]>
  untilCredited(id: string): Promise<Line[]>
}

export async function newPayer(env: TestEnvironment): Promise<Payer> {
  const name = randomUUID()
  const organisation = await env.organisation(name)
  const email = `admin@${name}.test`
  const ask = await env.signIn('admin', email, organisation)
  const payer: Payer = {
    organisation,
    email,
    order: (amount, headers) => ask('POST', '/admin/ledger/order', { amount }, headers),
    async payInCheckout(ordered, more = {}) {
      const { status, body } = await env.control('POST', '/_payments', { order_id: ordered.order_id, ...more })
      if (status !== 200) throw new Error(JSON.stringify(body))
      const { payment_id, order_id, signature } = body as Paid
      return { payment_id, order_id, signature, amount: ordered.amount }
    },
    paidOrder: async (amount = 500.5) => payer.payInCheckout((await payer.order(amount)).body),
    verify: (paid) => ask('POST', '/admin/ledger/paymentVerify', paid),
    async payments() {
      const { body } = await ask('GET', '/admin/ledger/accounts')
      const { transactions } = body as { transactions: { id: string; payment: number | null }[] }
      return transactions.flatMap(({ id, payment }) => (payment === null ? [] : [{ id, payment }]))
    },
    credited: async (id) => (await payer.payments()).filter((line) => line.id === id),
    untilCredited: (id) =>
      until(
        'the payment is in the ledger',
        () => payer.credited(id),
        (lines) => lines.length > 0,
      ),
  }
  return payer
}

export const fault = (env: TestEnvironment, kind: string, operation: string, more = {}): Promise<Reply> =>
  env.control('POST', '/_faults', { kind, operation, ...more })

/** Makes the emulator lose its webhook events from now on. */
export const loseEvents = (env: TestEnvironment): Promise<Reply> => fault(env, 'loseEvent', 'Webhooks_*')

/** Returns a webhook event about a payment as the provider sends it. */
export const eventOf = (paid: Paid): string =>
  JSON.stringify({
    event: 'payment.captured',
    payload: { payment: { entity: { id: paid.payment_id, order_id: paid.order_id } } },
  })

export const sign = (text: string, secret = emulatedRazorpay('http://x').webhookSecret): string =>
  createHmac('sha256', secret).update(text).digest('hex')

/** Sends a webhook event; returns the status. */
export async function sendEvent(
  env: TestEnvironment,
  { email }: Payer,
  body: string,
  signature: string | null,
): Promise<number> {
  const { url } = await env.credentials(email)
  const reply = await fetch(`${url}/payments/webhook`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(signature !== null && { 'x-razorpay-signature': signature }) },
    body,
  })
  return reply.status
}

/** Returns the orders that the payment task must check, is checking, or will check again after a failure. */
export async function dueNow(env: TestEnvironment): Promise<string[]> {
  const { rows } = await sql<{ order_id: string }>`
    select order_id from payment
    where reconcile_at <= portal_now() or leased_until is not null or attempts > 0`.execute(env.db)
  return rows.map((row) => row.order_id)
}

/**
 * Waits until every event is delivered and no check is in progress. A test that steps the
 * clock during a check would count the next check from the time after the step.
 */
export async function untilSettled(env: TestEnvironment): Promise<void> {
  await until(
    'every event is delivered and checked',
    async () => {
      const { body } = await env.control('GET', '/_truth?part=webhooks')
      const undelivered = (body.webhooks as { event: string; delivered: number }[]).filter(
        (each) => each.delivered === 0,
      )
      return [...undelivered, ...(await dueNow(env))]
    },
    (left) => left.length === 0,
  )
}

/** Returns the differences between the ledger and the provider's record. Needs a worker. */
export async function differences(env: TestEnvironment): Promise<unknown[]> {
  await untilSettled(env)
  await env.step(3600)
  await untilSettled(env)
  const { body } = await env.control('GET', '/_truth?part=payments')
  return [
    ...(await paymentDifferences(env.db, body.payments as PaymentInRecord[])),
    ...(await brokenInvariants(env.db, { quiet: false })),
    ...env.bugs,
  ]
}
