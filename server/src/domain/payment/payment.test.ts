import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { paiseOfRupees } from '@trainyard/contract/words/money.ts'
import { brokenInvariants } from '../../invariants/check.ts'
import { paymentDifferences } from '../../invariants/payments-against-truth.ts'
import { emulatedRazorpay } from '../../providers/razorpay/test-merchant.ts'
import { startYard, until, type Caller, type Yard } from '../../worker/test-yard.ts'
import { addEntry } from '../ledger/entries.ts'
import { recordSeen } from './record.ts'
import { order, payAtBank, paymentsOf, verify, type Paid } from './test-till.ts'

let yard: Yard
let admin: Caller
let other: Caller
let organisation: string

beforeAll(async () => {
  yard = await startYard()
  organisation = await yard.organisation('Acme Learning')
  admin = await yard.as('admin', 'admin@acme.test', organisation as never)
  other = await yard.as('admin', 'admin@globex.test', await yard.organisation('Globex Academy'))
})
afterEach(async () => {
  await yard.control('DELETE', '/_faults')
})
afterAll(() => yard.stop())

const fault = (kind: string, operation: string, more = {}) =>
  yard.control('POST', '/_faults', { kind, operation, ...more })
const credited = async (id: string, by = admin) => (await paymentsOf(by)).filter((line) => line.id === id)
const paidOrder = async (amount = 500.5): Promise<Paid> => payAtBank(yard, (await order(admin, amount)).body)
/** What the payment keeper does next or is at: a look that goes on while the clock jumps counts from after the jump. */
const dueNow = async () => {
  const { rows } = await sql<{ order_id: string }>`
    select order_id from payment where reconcile_at <= portal_now() or leased_until is not null`.execute(yard.db)
  return rows.map((row) => row.order_id)
}

describe('an order', () => {
  test('is made at the provider in paise, under our own number, with what the checkout needs', async () => {
    const { status, body } = await order(admin, 0.29 + 1)
    expect(status).toBe(200)
    const settings = emulatedRazorpay(yard.emulatorUrl)
    const { order_id } = body
    expect(body).toEqual({
      order_id,
      amount: 129,
      currency: 'INR',
      keyId: settings.keyId,
      checkoutScript: settings.script,
    })
    const row = await yard.db
      .selectFrom('payment')
      .selectAll()
      .where('order_id', '=', order_id)
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({ amount_paise: 129, asked_by: 'admin@acme.test', paid_at: null })
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
  ])('of %j is refused: %s', async (amount, message) => {
    expect(await order(admin, amount)).toMatchObject({ status: 400, body: { message } })
  })

  test('asked for twice under one key is one order, here and there', async () => {
    const headers = { 'idempotency-key': 'double-click' }
    const first = await order(admin, 77, headers)
    const again = await order(admin, 77, headers)
    expect(again.body).toEqual(first.body)
    expect((await order(admin, 78, headers)).status).toBe(422)
    const rows = await yard.db
      .selectFrom('payment')
      .select('id')
      .where('amount_paise', '=', 7700 as never)
      .execute()
    expect(rows).toHaveLength(1)
  })

  test('whose reply got lost is found again by its receipt', async () => {
    await fault('loseReply', 'Orders_Create', { times: 1 })
    const { status, body } = await order(admin, 88)
    expect(status).toBe(200)
    const { rows } = await sql<{ id: string }>`select id from payment where order_id = ${body.order_id}`.execute(
      yard.db,
    )
    expect(rows).toHaveLength(1)
  })

  test.each([
    ['throttle', 503],
    ['serverError', 503],
    ['dropConnection', 503],
    ['unauthorised', 503],
    ['malformed', 200],
  ])('under %s is answered with %d, and nothing half-made stays', async (kind, status) => {
    const before = await yard.db.selectFrom('payment').select('id').execute()
    await fault(kind, 'Orders_Create', { times: 1 })
    expect((await order(admin, 5)).status).toBe(status)
    const after = await yard.db.selectFrom('payment').select('id').execute()
    expect(after.length - before.length).toBe(status === 200 ? 1 : 0)
  })
})

describe('a verification', () => {
  test('credits what was captured, once, however often and at however many places it is sent', async () => {
    const paid = await paidOrder()
    const replies = await Promise.all(Array.from({ length: 12 }, () => verify(admin, paid)))
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
    expect(replies[0]!.body).toEqual({ message: 'Payment successful and verified!' })
    expect(await credited(paid.payment_id)).toEqual([{ id: paid.payment_id, payment: 500.5 }])
  })

  test('takes money that is only authorised', async () => {
    const ordered = (await order(admin, 42)).body
    const paid = await payAtBank(yard, ordered, { answer: 'authorise' })
    expect((await verify(admin, paid)).status).toBe(200)
    expect(await credited(paid.payment_id)).toEqual([{ id: paid.payment_id, payment: 42 }])
  })

  const wrongly: [string, (paid: Paid) => Promise<Paid> | Paid][] = [
    [
      'a tampered signature',
      (paid) => ({ ...paid, signature: paid.signature.replace(/^./, (c) => (c === '0' ? '1' : '0')) }),
    ],
    ['a signature that is none', (paid) => ({ ...paid, signature: 'x'.repeat(64) })],
    ['a signature made with another secret', (paid) => ({ ...paid, signature: signatureOf(paid, 'guess') })],
    ['another amount', (paid) => ({ ...paid, amount: paid.amount + 1 })],
    ['rupees for paise', (paid) => ({ ...paid, amount: paid.amount / 100 })],
    ['another payment of the same order', (paid) => ({ ...paid, payment_id: 'pay_00000000000000' })],
    [
      "another order's payment",
      async (paid) => ({ ...paid, order_id: (await order(admin, 500.5)).body.order_id as string }),
    ],
    ['the pieces changed over', (paid) => ({ ...paid, payment_id: paid.order_id, order_id: paid.payment_id })],
  ]
  test.each(wrongly)('with %s credits nothing', async (_what, change) => {
    const paid = await paidOrder()
    const before = await paymentsOf(admin)
    const reply = await verify(admin, await change(paid))
    expect([400, 404]).toContain(reply.status)
    expect(await paymentsOf(admin)).toEqual(before)
    // The right one still counts.
    expect((await verify(admin, paid)).status).toBe(200)
  })

  test("of another organisation's order is of none, and credits neither", async () => {
    const paid = await paidOrder()
    const nobodys = await verify(other, { ...paid, order_id: 'order_none' })
    const theirs = await verify(other, paid)
    expect([theirs.status, theirs.body.message]).toEqual([nobodys.status, nobodys.body.message])
    expect(theirs.status).toBe(404)
    expect([...(await credited(paid.payment_id)), ...(await credited(paid.payment_id, other))]).toEqual([])
  })

  test('signed well, of a payment that failed, credits nothing and says that it may still come', async () => {
    const paid = await payAtBank(yard, (await order(admin, 9)).body, { answer: 'failure' })
    expect((await verify(admin, paid)).status).toBe(503)
    expect(await credited(paid.payment_id)).toEqual([])
  })

  test.each([
    ['another amount', { amount: 100 }],
    ['another currency', { currency: 'USD' }],
  ])('of money that the provider took in %s credits nothing and leaves a word for people', async (_what, took) => {
    const ordered = (await order(admin, 5_000)).body
    const paid = await payAtBank(yard, ordered, took)
    expect((await verify(admin, paid)).status).toBe(400)
    expect(await credited(paid.payment_id)).toEqual([])
  })

  test.each([
    [500.5, null],
    [400, 'was entered by hand with another amount.'],
  ])('of a payment that was entered by hand with ₹%d adds nothing', async (amount, trouble) => {
    const paid = await paidOrder()
    const row = await yard.db
      .selectFrom('payment')
      .selectAll()
      .where('order_id', '=', paid.order_id)
      .executeTakeFirstOrThrow()
    const seen = await yard.parts.payments!.lookAt(paid.order_id, new AbortController().signal)
    const tried = yard.parts.db.transaction().execute(async (tx) => {
      const entry = { organisation: row.organisation_id, reference: paid.payment_id, particular: 'x', by: 'x' }
      const byHand = { ...entry, kind: 'payment', source: 'manual', date: '2026-01-31' } as const
      await addEntry(tx, { ...byHand, amount: paiseOfRupees(amount)! })
      // Undone again: the ledger is compared with the gateway's record in the end.
      throw await recordSeen(tx, { ...row, now: new Date() }, seen)
    })
    const expected = { added: [], trouble: trouble && `${paid.payment_id} ${trouble}` }
    await expect(tried).rejects.toEqual(expected)
  })

  test('while the provider does not answer is to be tried again', async () => {
    const paid = await paidOrder()
    await fault('throttle', 'Orders_FetchPayments', { times: 1, retryAfter: 30 })
    expect(await verify(admin, paid)).toMatchObject({ status: 503 })
    expect((await verify(admin, paid)).status).toBe(200)
  })
})

describe('an event', () => {
  const secret = emulatedRazorpay('http://x').webhookSecret
  const text = (paid: Paid) =>
    JSON.stringify({
      event: 'payment.captured',
      payload: { payment: { entity: { id: paid.payment_id, order_id: paid.order_id } } },
    })
  const tell = async (body: string, signature: string | null): Promise<number> => {
    const url = (await yard.credentials('admin@acme.test')).url
    const reply = await fetch(`${url}/payments/webhook`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(signature !== null && { 'x-razorpay-signature': signature }) },
      body,
    })
    return reply.status
  }
  const sign = (body: string, by = secret) => createHmac('sha256', by).update(body).digest('hex')
  /** Without the emulator's own events. */
  async function quietlyPaid(): Promise<Paid> {
    await fault('loseEvent', 'Webhooks_*')
    return paidOrder()
  }

  test('that is signed has its order looked at; what it says itself credits nothing', async () => {
    const paid = await quietlyPaid()
    const body = text(paid).replace('"payload"', '"amount" :  1,\n"payload"')
    expect(await tell(body, sign(body))).toBe(200)
    expect(await dueNow()).toContain(paid.order_id)
    expect(await credited(paid.payment_id)).toEqual([])
  })

  test.each([
    ['unsigned', (): string | null => null],
    ['signed with another secret', (body: string) => sign(body, 'guess')],
    ['signed with the secret of the key', (body: string) => sign(body, emulatedRazorpay('http://x').keySecret)],
    ['changed after it was signed', (body: string) => sign(`${body} `)],
    ['signed by its end alone', (body: string) => sign(body).slice(1)],
  ])('that is %s is refused and changes nothing', async (_what, signature) => {
    const paid = await quietlyPaid()
    const body = text(paid)
    expect(await tell(body, signature(body))).toBe(403)
    expect(await dueNow()).not.toContain(paid.order_id)
  })

  test('of nobody we know, of no order, or that is no JSON, is heard and forgotten', async () => {
    for (const body of [
      text({ ...(await quietlyPaid()), order_id: 'order_elsewhere' }),
      '{"event":"x","payload":{}}',
      'no JSON',
    ]) {
      expect(await tell(body, sign(body))).toBe(200)
    }
  })

  test('replayed after all is paid changes nothing', async () => {
    const paid = await quietlyPaid()
    await verify(admin, paid)
    const before = await paymentsOf(admin)
    const worker = await yard.worker()
    const body = text(paid)
    for (let again = 0; again < 3; again += 1) expect(await tell(body, sign(body))).toBe(200)
    await until('all is looked at', dueNow, (due) => due.length === 0)
    await worker.stop()
    expect(await credited(paid.payment_id)).toHaveLength(1)
    expect(before.filter(({ id }) => id === paid.payment_id)).toHaveLength(1)
  })
})

describe('with a worker', () => {
  let worker: { stop(): Promise<void> }
  beforeAll(async () => {
    worker = await yard.worker()
  })
  afterAll(() => worker.stop())

  /** Its lines in the ledger, once there are any. */
  const arrived = (id: string) =>
    until(
      'it is in the ledger',
      () => credited(id),
      (lines) => lines.length > 0,
    )

  test('a payment that nobody came back from is credited by its event', async () => {
    const { payment_id } = await paidOrder(31)
    expect(await arrived(payment_id)).toEqual([{ id: payment_id, payment: 31 }])
  })

  test('one whose events are all lost is credited by the clock', async () => {
    await fault('loseEvent', 'Webhooks_*')
    const paid = await paidOrder(32)
    expect(await credited(paid.payment_id)).toEqual([])
    await yard.step(60)
    expect(await arrived(paid.payment_id)).toEqual([{ id: paid.payment_id, payment: 32 }])
  })

  test('one that failed and was authorised a day later is credited then', async () => {
    await fault('loseEvent', 'Webhooks_*')
    const paid = await payAtBank(yard, (await order(admin, 33)).body, { answer: 'failure' })
    await yard.step(24 * 3600)
    await until('it was looked at', dueNow, (due) => due.length === 0)
    await yard.control('POST', `/_payments/${paid.payment_id}/authorise`)
    await yard.step(3 * 3600)
    expect(await arrived(paid.payment_id)).toEqual([{ id: paid.payment_id, payment: 33 }])
  })

  test('what is paid back, in parts and then wholly, is taken off, told by event or not', async () => {
    const paid = await paidOrder(100)
    expect(await arrived(paid.payment_id)).toEqual([{ id: paid.payment_id, payment: 100 }])
    const back = async (amount?: number) =>
      (await yard.control('POST', `/_payments/${paid.payment_id}/refund`, { amount })).body.id as string
    const first = await back(3_000)
    expect(await arrived(first)).toEqual([{ id: first, payment: -30 }])
    await fault('loseEvent', 'Webhooks_*')
    await until('the events of the first are dealt with', dueNow, (due) => due.length === 0)
    const second = await back()
    await yard.step(3600)
    expect(await arrived(second)).toEqual([{ id: second, payment: -70 }])
  })

  test('a second payment of a paid order, given back by the provider itself, leaves no line', async () => {
    const ordered = (await order(admin, 34)).body
    const paid = await payAtBank(yard, ordered)
    expect(await arrived(paid.payment_id)).toEqual([{ id: paid.payment_id, payment: 34 }])
    const second = await payAtBank(yard, ordered)
    await yard.step(3600)
    await until('all is looked at', dueNow, (due) => due.length === 0)
    expect(await credited(second.payment_id)).toEqual([])
  })

  test('in the end the ledger is what the provider captured', async () => {
    await yard.control('DELETE', '/_faults')
    await yard.step(3600)
    await until('all is looked at', dueNow, (due) => due.length === 0)
    const { body } = await yard.control('GET', '/_truth?part=payments')
    expect(await paymentDifferences(yard.db, body.payments)).toEqual([])
    expect(await brokenInvariants(yard.db, { quiet: false })).toEqual([])
    expect(yard.faults).toEqual([])
  })

  test('people are told of money in another amount or currency until it is paid back', async () => {
    const troubles = async () => {
      const { rows } = await sql<{ trouble: string }>`
        select trouble from payment where trouble is not null order by created_at`.execute(yard.db)
      // Each once: a second try of what brought it brings another payment.
      return [...new Set(rows.map(({ trouble }) => trouble.replace(/^\S+ is /, '')))]
    }
    const asked = 'and not the ₹5,000.00 that were asked for: it is not credited.'
    const both = [`1 INR ${asked}`, `5000 USD ${asked}`]
    // A look that got no answer says so until the next one, seconds later.
    const told = await until('both are told', troubles, (said) => both.every((each) => said.includes(each)))
    expect(told).toEqual(both)
    const { body } = await yard.control('GET', '/_truth?part=payments')
    const strange = (body.payments as { id: string; amount: number; currency: string }[]).filter(
      ({ amount, currency }) => currency === 'USD' || amount === 100,
    )
    await Promise.all(strange.map(({ id }) => yard.control('POST', `/_payments/${id}/refund`)))
    expect(await until('nobody needs to look', troubles, (left) => left.length === 0)).toEqual([])
  })
})

test('a payment’s order, amount and organisation never change, and paid is final', async () => {
  for (const change of ["order_id = 'x'", 'amount_paise = 1', 'paid_at = null']) {
    await expect(sql.raw(`update payment set ${change} where paid_at is not null`).execute(yard.db)).rejects.toThrow(
      'final',
    )
  }
})

const signatureOf = (paid: Paid, secret: string): string =>
  createHmac('sha256', secret).update(`${paid.order_id}|${paid.payment_id}`).digest('hex')
