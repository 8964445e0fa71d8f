/** @module-tag full */
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { paiseOfRupees } from '@trainyard/platform/contract/words/money.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'
import { until } from '@trainyard/platform/test/until.ts'
import type { PaymentRow } from '../tables.gen.ts'
import { queueOf } from '@trainyard/platform/server/run/reconcile/claim.ts'
import { workOn } from '@trainyard/platform/server/run/reconcile/work.ts'
import { addEntry } from '@trainyard/ledger/server/entries.ts'
import { recordPayments } from './record.ts'
import { paymentKind } from './step.ts'
import {
  differences,
  eventOf,
  fault,
  loseEvents,
  newPayer,
  type Paid,
  type Payer,
  untilSettled,
  sign,
  sendEvent,
} from '@trainyard/platform/test/payments.ts'

const env = await sharedEnvironment()
let payer: Payer
beforeEach(async () => {
  payer = await newPayer(env)
})
afterEach(async () => {
  await env.control('DELETE', '/_faults')
})

const noBug = (bug: unknown) => expect.unreachable(String(bug))

test('audits each credit and each refund that a worker finds exactly once', async () => {
  await loseEvents(env)
  const paid = await payer.paidOrder()
  const { db } = env.parts
  const step = async () => {
    await sql`update payment set reconcile_at = case when order_id = ${paid.order_id} then portal_now() end,
      leased_until = null`.execute(env.db)
    const [claimed] = await queueOf<PaymentRow>('payment').claimDue(db, 1, 60)
    await workOn(db, paymentKind(env.parts.payments!), claimed!, AbortSignal.timeout(10_000), noBug)
  }
  await step()
  await step()
  expect(await payer.payments()).toEqual([{ id: paid.payment_id, payment: 500.5 }])
  const { rows } = await sql`
    select call, detail->'added' as added from audit where detail->>'order' = ${paid.order_id}`.execute(env.db)
  expect(rows).toEqual([{ call: 'payment.credit', added: [paid.payment_id] }])
  const { body } = await env.control('POST', `/_payments/${paid.payment_id}/refund`, {})
  await step()
  await step()
  const { rows: back } = await sql`
    select detail->'added' as added from audit where detail->>'order' = ${paid.order_id} order by id`.execute(env.db)
  expect(back).toEqual([{ added: [paid.payment_id] }, { added: [body.id] }])
})

test('stores the error of a failed poll and retries after Retry-After or an increasing delay', async () => {
  await loseEvents(env)
  const { order_id } = await payer.paidOrder()
  const poll = async (answer: object) => {
    await env.control('DELETE', '/_faults')
    await loseEvents(env)
    await env.control('POST', '/_faults', { operation: 'Orders_FetchPayments', ...answer })
    await sql`update payment set reconcile_at = case when order_id = ${order_id} then portal_now() end,
      leased_until = null`.execute(env.db)
    const { db } = env.parts
    const [claimed] = await queueOf<PaymentRow>('payment').claimDue(db, 1, 60)
    await workOn(db, paymentKind(env.parts.payments!), claimed!, AbortSignal.timeout(10_000), noBug)
    const { rows } = await sql<{ last_error: string | null; attempts: number; free: boolean; pause: number }>`
      select last_error, attempts, leased_until is null as free, extract(epoch from reconcile_at - portal_now())::float8 as pause
      from payment where order_id = ${order_id}`.execute(env.db)
    return rows[0]!
  }
  const pausing = await poll({ kind: 'throttle', retryAfter: 30 })
  expect(pausing).toMatchObject({ attempts: 1, free: true, last_error: expect.stringMatching(/./) })
  expect(pausing.pause).toBeGreaterThan(25)
  expect(pausing.pause).toBeLessThanOrEqual(30)
  const silent = await poll({ kind: 'dropConnection' })
  expect(silent).toMatchObject({ attempts: 2, free: true, last_error: expect.stringMatching(/./) })
  expect(silent.pause).toBeGreaterThan(0)
  expect(silent.pause).toBeLessThanOrEqual(4)
})

describe('payment verification', () => {
  test('credits the captured amount once despite concurrent requests', async () => {
    const paid = await payer.paidOrder()
    const replies = await Promise.all(Array.from({ length: 12 }, () => payer.verify(paid)))
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
    expect(replies[0]!.body).toEqual({ message: 'Payment successful and verified!' })
    expect(await payer.payments()).toEqual([{ id: paid.payment_id, payment: 500.5 }])
  })

  test('captures and credits a payment that is only authorised', async () => {
    const paid = await payer.payInCheckout((await payer.order(42)).body, { answer: 'authorise' })
    expect((await payer.verify(paid)).status).toBe(200)
    expect(await payer.payments()).toEqual([{ id: paid.payment_id, payment: 42 }])
  })

  test.each([
    [500.5, null],
    [400, 'was entered manually with another amount.'],
  ])('adds nothing for a payment that was entered manually with ₹%d', async (amount, reason) => {
    const paid = await payer.paidOrder()
    const row = await env.db
      .selectFrom('payment')
      .selectAll()
      .where('order_id', '=', paid.order_id)
      .executeTakeFirstOrThrow()
    const seen = await env.parts.payments!.listPayments(paid.order_id, new AbortController().signal)
    const tried = env.parts.db.transaction().execute(async (tx) => {
      const entry = { organisation: row.organisation_id, reference: paid.payment_id, particular: 'x', by: 'x' }
      const byHand = { ...entry, kind: 'payment', source: 'manual', date: '2026-01-31' } as const
      await addEntry(tx, { ...byHand, amount: paiseOfRupees(amount)! })
      // Rolls the transaction back, because a later test compares the ledger with the gateway's record.
      throw await recordPayments(tx, { ...row, now: new Date() }, seen)
    })
    const last_error = reason && `${paid.payment_id} ${reason}`
    await expect(tried).rejects.toMatchObject({ added: [], outcome: { set: { last_error } } })
  })

  test('returns 503 while the provider does not answer and succeeds when retried', async () => {
    const paid = await payer.paidOrder()
    await fault(env, 'throttle', 'Orders_FetchPayments', { times: 1, retryAfter: 30 })
    expect(await payer.verify(paid)).toMatchObject({ status: 503 })
    expect((await payer.verify(paid)).status).toBe(200)
  })
})

describe('payment worker', () => {
  let worker: { stop(): Promise<void> }
  beforeAll(async () => {
    worker = await env.worker()
  })
  afterAll(() => worker.stop())

  test('credits a payment from its webhook event when the payer does not return to the portal', async () => {
    const { payment_id } = await payer.paidOrder(31)
    expect(await payer.untilCredited(payment_id)).toEqual([{ id: payment_id, payment: 31 }])
  })

  test('ignores a replayed event of a credited payment', async () => {
    await loseEvents(env)
    const paid = await payer.paidOrder()
    await payer.verify(paid)
    const before = await payer.payments()
    const body = eventOf(paid)
    for (let again = 0; again < 3; again += 1) expect(await sendEvent(env, payer, body, sign(body))).toBe(200)
    await untilSettled(env)
    expect(before).toEqual([{ id: paid.payment_id, payment: 500.5 }])
    expect(await payer.payments()).toEqual(before)
  })

  test('credits a payment by polling when all its events are lost', async () => {
    await loseEvents(env)
    const paid = await payer.paidOrder(32)
    expect(await payer.payments()).toEqual([])
    await env.step(60)
    expect(await payer.untilCredited(paid.payment_id)).toEqual([{ id: paid.payment_id, payment: 32 }])
  })

  test('credits a payment that failed and was authorised a day later', { tags: ['storm'] }, async () => {
    await loseEvents(env)
    const paid = await payer.payInCheckout((await payer.order(33)).body, { answer: 'failure' })
    await env.step(24 * 3600)
    await untilSettled(env)
    await env.control('POST', `/_payments/${paid.payment_id}/authorise`)
    await env.step(3 * 3600)
    expect(await payer.untilCredited(paid.payment_id)).toEqual([{ id: paid.payment_id, payment: 33 }])
  })

  test('deducts partial and full refunds, with or without an event', async () => {
    const paid = await payer.paidOrder(100)
    expect(await payer.untilCredited(paid.payment_id)).toEqual([{ id: paid.payment_id, payment: 100 }])
    const back = async (amount?: number) =>
      (await env.control('POST', `/_payments/${paid.payment_id}/refund`, { amount })).body.id as string
    const first = await back(3_000)
    expect(await payer.untilCredited(first)).toEqual([{ id: first, payment: -30 }])
    await loseEvents(env)
    await untilSettled(env)
    const second = await back()
    await env.step(3600)
    expect(await payer.untilCredited(second)).toEqual([{ id: second, payment: -70 }])
  })

  test('adds no entry for a second payment of a paid order that the provider refunds itself', async () => {
    const ordered = (await payer.order(34)).body
    const paid = await payer.payInCheckout(ordered)
    expect(await payer.untilCredited(paid.payment_id)).toEqual([{ id: paid.payment_id, payment: 34 }])
    await payer.payInCheckout(ordered)
    await env.step(3600)
    await untilSettled(env)
    expect(await payer.payments()).toEqual([{ id: paid.payment_id, payment: 34 }])
  })

  test('reports payments with another amount or currency until they are refunded', async () => {
    const errors = async () => {
      const rows = await env.db
        .selectFrom('payment')
        .select('last_error')
        .where('organisation_id', '=', payer.organisation)
        .orderBy('created_at')
        .execute()
      return rows.flatMap(({ last_error }) => (last_error === null ? [] : [last_error]))
    }
    const mismatched: Paid[] = []
    for (const took of [{ amount: 100 }, { currency: 'USD' }])
      mismatched.push(await payer.payInCheckout((await payer.order(5_000)).body, took))
    const instead = 'instead of the ordered ₹5,000.00. It was not credited.'
    const [less, dollars] = mismatched.map(({ payment_id }) => payment_id)
    const both = [`${less} is 1 INR ${instead}`, `${dollars} is 5000 USD ${instead}`]
    const reported = await until('both are reported', errors, (found) => both.every((each) => found.includes(each)))
    expect(reported).toEqual(both)
    expect(await payer.payments()).toEqual([])
    await Promise.all(mismatched.map(({ payment_id }) => env.control('POST', `/_payments/${payment_id}/refund`)))
    expect(await until('no error is left', errors, (left) => left.length === 0)).toEqual([])
  })

  test('credits the captured amount of an order that the customer paid with a fee', async () => {
    const ordered = (await payer.order(70)).body
    const paid = await payer.payInCheckout(ordered, { amount: 7_165, settles: true })
    expect(await payer.untilCredited(paid.payment_id)).toEqual([{ id: paid.payment_id, payment: 71.65 }])
  })

  test('leaves a ledger that equals what the provider captured', async () => {
    expect(await differences(env)).toEqual([])
  })
})
