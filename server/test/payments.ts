import { createHmac, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { OrganisationId } from '@trainyard/contract/words/ids.ts'
import { brokenInvariants } from '../src/invariants/check.ts'
import { type PaymentInRecord, paymentDifferences } from '../src/invariants/payments-against-truth.ts'
import { emulatedRazorpay } from './adapters.ts'
import type { Reply } from './caller.ts'
import { type TestEnvironment } from './environment.ts'
import { until } from './until.ts'

/** A payment as the checkout hands it to the browser, with the order it is for. */
export interface Paid {
  readonly payment_id: string
  readonly order_id: string
  readonly signature: string
  /** Paise. */
  readonly amount: number
}

/** A line of the account: rupees that came in, or below zero went back. */
interface Line {
  readonly id: string
  readonly payment: number
}

/** The admin of an organisation of their own: what they order and pay is no other test's. */
export interface Payer {
  readonly organisation: OrganisationId
  readonly email: string
  order(amount: unknown, headers?: Record<string, string>): Promise<Reply>
  /** Pays an order in the checkout, without a browser. */
  payAtBank(ordered: { order_id: string; amount: number }, more?: object): Promise<Paid>
  /** Orders and pays so many rupees, and does not come back to say so. */
  paidOrder(amount?: number): Promise<Paid>
  verify(paid: Paid): Promise<Reply>
  /** Returns the account's lines of payments. */
  payments(): Promise<Line[]>
  /** Those of its lines that bear this number. */
  credited(id: string): Promise<Line[]>
  /** The same once there are any. */
  arrived(id: string): Promise<Line[]>
}

export async function newPayer(env: TestEnvironment): Promise<Payer> {
  const name = randomUUID()
  const organisation = await env.organisation(name)
  const email = `admin@${name}.test`
  const ask = await env.as('admin', email, organisation)
  const payer: Payer = {
    organisation,
    email,
    order: (amount, headers) => ask('POST', '/admin/ledger/order', { amount }, headers),
    async payAtBank(ordered, more = {}) {
      const { status, body } = await env.control('POST', '/_payments', { order_id: ordered.order_id, ...more })
      if (status !== 200) throw new Error(JSON.stringify(body))
      const { payment_id, order_id, signature } = body as Paid
      return { payment_id, order_id, signature, amount: ordered.amount }
    },
    paidOrder: async (amount = 500.5) => payer.payAtBank((await payer.order(amount)).body),
    verify: (paid) => ask('POST', '/admin/ledger/paymentVerify', paid),
    async payments() {
      const { body } = await ask('GET', '/admin/ledger/accounts')
      const { transactions } = body as { transactions: { id: string; payment: number | null }[] }
      return transactions.flatMap(({ id, payment }) => (payment === null ? [] : [{ id, payment }]))
    },
    credited: async (id) => (await payer.payments()).filter((line) => line.id === id),
    arrived: (id) =>
      until(
        'it is in the ledger',
        () => payer.credited(id),
        (lines) => lines.length > 0,
      ),
  }
  return payer
}

export const fault = (env: TestEnvironment, kind: string, operation: string, more = {}): Promise<Reply> =>
  env.control('POST', '/_faults', { kind, operation, ...more })

/** From now on the emulator's own events get lost. */
export const loseEvents = (env: TestEnvironment): Promise<Reply> => fault(env, 'loseEvent', 'Webhooks_*')

/** An event about a payment, as the provider would write it. */
export const eventOf = (paid: Paid): string =>
  JSON.stringify({
    event: 'payment.captured',
    payload: { payment: { entity: { id: paid.payment_id, order_id: paid.order_id } } },
  })

export const sign = (text: string, secret = emulatedRazorpay('http://x').webhookSecret): string =>
  createHmac('sha256', secret).update(text).digest('hex')

/** Sends an event as anybody can; answers the status. */
export async function tell(
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

/** Orders that the payments' task looks at next, is at, or could not look at and tries again. */
export async function dueNow(env: TestEnvironment): Promise<string[]> {
  const { rows } = await sql<{ order_id: string }>`
    select order_id from payment
    where reconcile_at <= portal_now() or leased_until is not null or attempts > 0`.execute(env.db)
  return rows.map((row) => row.order_id)
}

/** Until each event is told and no look goes on: one that does while the clock jumps counts from after the jump. */
export async function quiet(env: TestEnvironment): Promise<void> {
  await until(
    'all is told and looked at',
    async () => {
      const { body } = await env.control('GET', '/_truth?part=webhooks')
      const untold = (body.webhooks as { event: string; delivered: number }[]).filter((each) => each.delivered === 0)
      return [...untold, ...(await dueNow(env))]
    },
    (left) => left.length === 0,
  )
}

/** With a worker: what the ledger is other than what the provider captured and paid back, once all is looked at. */
export async function differences(env: TestEnvironment): Promise<unknown[]> {
  await quiet(env)
  await env.step(3600)
  await quiet(env)
  const { body } = await env.control('GET', '/_truth?part=payments')
  return [
    ...(await paymentDifferences(env.db, body.payments as PaymentInRecord[])),
    ...(await brokenInvariants(env.db, { quiet: false })),
    ...env.bugs,
  ]
}
