import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { emulatedRazorpay } from '@trainyard/platform/test/adapters.ts'
import {
  differences,
  dueNow,
  eventOf,
  fault,
  loseEvents,
  newPayer,
  type Paid,
  type Payer,
  sign,
  sendEvent,
} from '@trainyard/platform/test/payments.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'

let payer: Payer
const env = await sharedEnvironment()
beforeEach(async () => {
  payer = await newPayer(env)
})
afterEach(async () => {
  await env.control('DELETE', '/_faults')
})

const rows = () => env.db.selectFrom('payment').selectAll().where('organisation_id', '=', payer.organisation).execute()

describe('order creation', () => {
  test("creates an order in paise with the portal's receipt, and returns what the checkout needs", async () => {
    const { status, body } = await payer.order(0.29 + 1)
    expect(status).toBe(200)
    const settings = emulatedRazorpay(env.emulator.url)
    const { order_id } = body
    expect(body).toEqual({
      order_id,
      amount: 129,
      currency: 'INR',
      keyId: settings.keyId,
      checkoutScript: settings.checkoutScriptUrl,
    })
    expect(await rows()).toMatchObject([{ order_id, amount_paise: 129, asked_by: payer.email, paid_at: null }])
  })

  test.each([
    [0, 'Please enter a valid amount.'],
    [-1, 'Please enter a valid amount.'],
    [0.001, 'amount must be rupees with at most two decimals.'],
    [0.5, 'amount must be at least ₹1.'],
    [1e9, 'Amount exceeds maximum amount allowed.'],
    [1e9 + 1, 'amount must be at most ₹1,00,00,00,000.'],
    ['500', 'amount must be a number.'],
    [null, 'amount must be a number.'],
  ])('rejects amount %j: %s', async (amount, message) => {
    expect(await payer.order(amount)).toMatchObject({ status: 400, body: { message } })
    expect(await rows()).toEqual([])
  })

  test('creates one order for two requests with the same idempotency key', async () => {
    const headers = { 'idempotency-key': 'double-click' }
    const first = await payer.order(77, headers)
    const again = await payer.order(77, headers)
    expect(again.body).toEqual(first.body)
    expect((await payer.order(78, headers)).status).toBe(422)
    expect(await rows()).toMatchObject([{ amount_paise: 7700 }])
  })

  test('finds the order by its receipt if the reply was lost', async () => {
    await fault(env, 'loseReply', 'Orders_Create', { times: 1 })
    const { status, body } = await payer.order(88)
    expect(status).toBe(200)
    expect(await rows()).toMatchObject([{ order_id: body.order_id }])
  })

  test.each([
    ['throttle', 503],
    ['serverError', 503],
    ['dropConnection', 503],
    ['unauthorised', 503],
    ['malformed', 200],
  ])('on a %s fault returns %d and leaves no partial row', async (kind, status) => {
    await fault(env, kind, 'Orders_Create', { times: 1 })
    expect((await payer.order(5)).status).toBe(status)
    expect(await rows()).toHaveLength(status === 200 ? 1 : 0)
  })
})

describe('payment verification', () => {
  const wrongly: [string, (paid: Paid) => Promise<Paid> | Paid][] = [
    [
      'a tampered signature',
      (paid) => ({ ...paid, signature: paid.signature.replace(/^./, (c) => (c === '0' ? '1' : '0')) }),
    ],
    ['an invalid signature', (paid) => ({ ...paid, signature: 'x'.repeat(64) })],
    ['a signature made with another secret', (paid) => ({ ...paid, signature: signatureOf(paid, 'guess') })],
    ['another amount', (paid) => ({ ...paid, amount: paid.amount + 1 })],
    ['the amount in rupees instead of paise', (paid) => ({ ...paid, amount: paid.amount / 100 })],
    ['another payment of the same order', (paid) => ({ ...paid, payment_id: 'pay_00000000000000' })],
    [
      "another order's payment",
      async (paid) => ({ ...paid, order_id: (await payer.order(500.5)).body.order_id as string }),
    ],
    ['swapped payment and order IDs', (paid) => ({ ...paid, payment_id: paid.order_id, order_id: paid.payment_id })],
  ]
  test.each(wrongly)('credits nothing for %s', async (_what, change) => {
    const paid = await payer.paidOrder()
    const reply = await payer.verify(await change(paid))
    expect([400, 404]).toContain(reply.status)
    expect(await payer.payments()).toEqual([])
    expect((await payer.verify(paid)).status).toBe(200)
  })

  test("replies to another organisation's order as to an unknown order", async () => {
    const other = await newPayer(env)
    const paid = await payer.paidOrder()
    const unknown = await other.verify({ ...paid, order_id: 'order_none' })
    const foreign = await other.verify(paid)
    expect([foreign.status, foreign.body.message]).toEqual([unknown.status, unknown.body.message])
    expect(foreign.status).toBe(404)
    expect([...(await payer.payments()), ...(await other.payments())]).toEqual([])
  })

  test.each([
    ['unpaid', false],
    ['paid by another payment', true],
  ])('rejects a payment that is signed for a second order, %s', async (_what, isPaid) => {
    const first = await payer.paidOrder()
    expect((await payer.verify(first)).status).toBe(200)
    await loseEvents(env)
    const second = isPaid ? await payer.paidOrder() : { ...first, order_id: (await payer.order(500.5)).body.order_id }
    const mixed = { ...first, order_id: second.order_id }
    const signature = signatureOf(mixed, emulatedRazorpay('http://x').keySecret)
    const reply = { status: 409, body: { message: expect.stringContaining('Nothing was credited') } }
    expect(await payer.verify({ ...mixed, signature })).toMatchObject(reply)
    expect(await payer.payments()).toEqual([{ id: first.payment_id, payment: 500.5 }])
    if (!isPaid) return
    // After the second order is credited with its own payment, the first payment still does not verify the second
    // order.
    expect((await payer.verify(second)).status).toBe(200)
    expect(await payer.verify({ ...mixed, signature })).toMatchObject(reply)
    expect(await payer.payments()).toHaveLength(2)
  })

  test('credits nothing for a failed payment and asks the client to retry', async () => {
    const paid = await payer.payInCheckout((await payer.order(9)).body, { answer: 'failure' })
    expect((await payer.verify(paid)).status).toBe(503)
    expect(await payer.payments()).toEqual([])
  })

  test.each([
    ['another amount', { amount: 100 }],
    ['another currency', { currency: 'USD' }],
  ])('credits nothing when the provider took %s', async (_what, took) => {
    const paid = await payer.payInCheckout((await payer.order(5_000)).body, took)
    expect((await payer.verify(paid)).status).toBe(400)
    expect(await payer.payments()).toEqual([])
  })
})

describe('webhook event', () => {
  async function quietlyPaid(): Promise<Paid> {
    await loseEvents(env)
    return payer.paidOrder()
  }

  test('schedules a poll for a signed event without trusting its content', async () => {
    const paid = await quietlyPaid()
    expect(await dueNow(env)).not.toContain(paid.order_id)
    const body = eventOf(paid).replace('"payload"', '"amount" :  1,\n"payload"')
    expect(await sendEvent(env, payer, body, sign(body))).toBe(200)
    expect(await dueNow(env)).toContain(paid.order_id)
    expect(await payer.payments()).toEqual([])
  })

  test.each([
    ['unsigned', (): string | null => null],
    ['signed with another secret', (body: string) => sign(body, 'guess')],
    ['signed with the secret of the key', (body: string) => sign(body, emulatedRazorpay('http://x').keySecret)],
    ['changed after it was signed', (body: string) => sign(`${body} `)],
    ['signed with the first character missing', (body: string) => sign(body).slice(1)],
  ])('rejects an event that is %s', async (_what, signature) => {
    const paid = await quietlyPaid()
    const body = eventOf(paid)
    expect(await sendEvent(env, payer, body, signature(body))).toBe(403)
    expect(await dueNow(env)).not.toContain(paid.order_id)
  })

  test('accepts and ignores an event for an unknown order, without an order or with invalid JSON', async () => {
    for (const body of [
      eventOf({ ...(await quietlyPaid()), order_id: 'order_elsewhere' }),
      '{"event":"x","payload":{}}',
      'no JSON',
    ]) {
      expect(await sendEvent(env, payer, body, sign(body))).toBe(200)
    }
  })
})

test("leaves a ledger equal to the provider's captured payments after every order was polled", async () => {
  await env.worker()
  expect(await differences(env)).toEqual([])
})

const signatureOf = (paid: Paid, secret: string): string => sign(`${paid.order_id}|${paid.payment_id}`, secret)
