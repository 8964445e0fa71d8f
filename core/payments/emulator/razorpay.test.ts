import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { merchant } from './merchant.ts'
import { sign } from './webhooks.ts'
import { startTestEmulator, type TestEmulator, type Reply } from '@trainyard/platform/emulator/test/test-emulator.ts'

let emulator: TestEmulator
beforeEach(async () => {
  emulator = await startTestEmulator({ clock: 'stepped' })
})
afterEach(() => emulator.stop())

const key = `Basic ${Buffer.from(`${merchant.keyId}:${merchant.keySecret}`).toString('base64')}`

async function call(method: string, path: string, body?: unknown, authorization = key): Promise<Reply> {
  const reply = await fetch(`${emulator.url}/v1${path}`, {
    method,
    headers: { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: reply.status, headers: reply.headers, body: await reply.json() }
}
const newOrder = async (amount = 50_000, receipt = 'r-1') =>
  (await call('POST', '/orders', { amount, currency: 'INR', receipt, notes: { whose: 'Acme' } })).body
const pay = async (order_id: string, overrides: object = {}) =>
  (await emulator.control('POST', '/_payments', { order_id, ...overrides })).body

describe('orders', () => {
  test('creates an order, finds it by receipt and accepts one payment', async () => {
    const order = await newOrder()
    expect(order).toMatchObject({ entity: 'order', amount: 50_000, amount_due: 50_000, status: 'created', attempts: 0 })
    expect((await call('GET', '/orders?receipt=r-1')).body).toMatchObject({ count: 1, items: [{ id: order.id }] })
    expect((await call('GET', '/orders?receipt=r-2')).body).toEqual({ entity: 'collection', count: 0, items: [] })
    await pay(order.id, { answer: 'failure' })
    expect((await call('GET', `/orders/${order.id}`)).body).toMatchObject({ status: 'attempted', attempts: 1 })
    const { payment_id, signature } = await pay(order.id)
    expect(signature).toBe(sign(merchant.keySecret, `${order.id}|${payment_id}`))
    expect((await call('GET', `/orders/${order.id}`)).body).toMatchObject({ status: 'paid', amount_due: 0 })
    const { items } = (await call('GET', `/orders/${order.id}/payments`)).body
    expect(items.map(({ status, captured }: { status: string; captured: boolean }) => [status, captured])).toEqual([
      ['captured', true],
      ['failed', false],
    ])
  })

  test.each([
    [{ amount: 99, currency: 'INR' }, 'Order amount less than minimum amount allowed', 'amount'],
    [{ amount: 50_000_001, currency: 'INR' }, 'Amount exceeds maximum amount allowed.', 'amount'],
    [{ amount: 10.5, currency: 'INR' }, 'The amount must be an integer.', 'amount'],
    [{ amount: 100, currency: 'EUR' }, 'Currency is not supported', 'currency'],
    [
      { amount: 100, currency: 'INR', receipt: 'x'.repeat(41) },
      'The receipt may not be greater than 40 characters.',
      'receipt',
    ],
  ])('refuses %o', async (body, description, field) => {
    const reply = await call('POST', '/orders', body)
    expect(reply).toMatchObject({ status: 400, body: { error: { code: 'BAD_REQUEST_ERROR', description, field } } })
  })

  test('refuses wrong credentials and unknown IDs', async () => {
    const reply = await call('GET', '/orders', undefined, 'Basic eDp5')
    expect(reply).toMatchObject({ status: 401, body: { error: { description: 'Authentication failed' } } })
    expect(await call('GET', '/orders/order_none')).toMatchObject({
      status: 400,
      body: { error: { description: 'The id provided does not exist' } },
    })
  })
})

test('lets a bank authorise a failed payment later', async () => {
  const order = await newOrder()
  const { payment_id } = await pay(order.id, { answer: 'failure', afterSeconds: 0 })
  const status = async () => (await call('GET', `/payments/${payment_id}`)).body.status
  expect(await status()).toBe('failed')
  expect((await emulator.control('POST', `/_payments/${payment_id}/authorise`)).body).toEqual({ status: 'captured' })
  expect(await status()).toBe('captured')
  // A second payment of a paid order is accepted and refunded automatically.
  const lateReply = await pay(order.id)
  expect((await call('GET', `/payments/${lateReply.payment_id}`)).body).toMatchObject({
    captured: false,
    status: 'refunded',
  })
})

test('refunds a payment in parts, but not more than its amount', async () => {
  const { id } = await newOrder(1_000)
  const { payment_id } = await pay(id)
  const refundAmount = (amount: number) => call('POST', `/payments/${payment_id}/refund`, { amount })
  expect((await refundAmount(400)).body).toMatchObject({ entity: 'refund', amount: 400, status: 'processed' })
  expect((await refundAmount(601)).body.error.description).toContain('greater than amount captured')
  expect((await refundAmount(600)).status).toBe(200)
  expect((await call('GET', `/payments/${payment_id}`)).body).toMatchObject({
    status: 'refunded',
    captured: true,
    amount_refunded: 1_000,
    refund_status: 'full',
  })
  expect((await call('GET', `/payments/${payment_id}/refunds`)).body.count).toBe(2)
  expect((await emulator.control('GET', '/_truth?part=payments')).body.payments).toMatchObject([
    { id: payment_id, amount: 1_000, captured: true, refunds: [{ amount: 600 }, { amount: 400 }] },
  ])
})

describe('settlement report', () => {
  const recon = (query: string) => call('GET', `/settlements/recon/combined?${query}`)
  const lines = async (query: string) => (await recon(query)).body.items
  // A Thursday, 10 am in India.
  beforeEach(() => emulator.control('POST', '/_clock', { set: '2026-12-03T04:30:00Z' }))

  test('has a payment two working days after its capture, its refund deducted, and the fee with its tax', async () => {
    const order = await newOrder(100_000)
    const { payment_id } = await pay(order.id)
    const refund = (await call('POST', `/payments/${payment_id}/refund`, { amount: 30_000 })).body
    const { id: adjustment } = (
      await emulator.control('POST', '/_adjustments', { amount: -500, description: 'Chargeback' })
    ).body
    await emulator.advance(4 * 86_400)
    expect(await lines('year=2026&month=12')).toEqual([])
    // Monday 11 am: Saturday and Sunday do not count.
    await emulator.advance(3_600)
    const found = await lines('year=2026&month=12&day=7')
    const byId = Object.fromEntries(found.map((line: { entity_id: string }) => [line.entity_id, line]))
    expect(byId[payment_id]).toMatchObject({
      type: 'payment',
      amount: 100_000,
      fee: 2_360,
      tax: 360,
      credit: 97_640,
      debit: 0,
      settled: true,
      order_receipt: 'r-1',
      settled_at: Date.parse('2026-12-07T05:30:00Z') / 1000,
    })
    expect(byId[refund.id]).toMatchObject({ type: 'refund', debit: 30_000, credit: 0, payment_id, fee: 0 })
    expect(byId[adjustment]).toMatchObject({
      type: 'adjustment',
      debit: 500,
      description: 'Chargeback',
      settlement_utr: null,
    })
    expect(new Set(found.map((line: { settlement_id: string }) => line.settlement_id)).size).toBe(1)
    expect(byId[payment_id].settlement_utr).toMatch(/^\d{10}[a-z0-9]{6}$/)
    expect(await lines('year=2026&month=12&day=7')).toEqual(found)
    expect(await lines('year=2026&month=12&day=8')).toEqual([])
  })

  test('is read in pages of 10 lines, at most 100', async () => {
    for (let number = 0; number < 12; number += 1) await pay((await newOrder(1_000 + number, `r-${number}`)).id)
    await emulator.advance(5 * 86_400)
    const pages = [await lines('year=2026&month=12'), await lines('year=2026&month=12&skip=10')]
    expect(pages.map((page) => page.length)).toEqual([10, 2])
    expect(new Set(pages.flat().map((line: { entity_id: string }) => line.entity_id)).size).toBe(12)
    expect(await lines('year=2026&month=12&count=100')).toHaveLength(12)
  })

  test.each([
    ['month=12', 'The year field is required.', 'year'],
    ['year=2026', 'The month field is required.', 'month'],
    ['year=2026&month=13', 'The month must be between 1 and 12.', 'month'],
    ['year=2026&month=12&day=32', 'The day must be between 1 and 31.', 'day'],
    ['year=2026&month=12&count=0', 'The count must be at least 1.', 'count'],
    ['year=2026&month=12&count=101', 'The count may not be greater than 100.', 'count'],
  ])('refuses %s', async (query, description, field) => {
    expect(await recon(query)).toMatchObject({ status: 400, body: { error: { description, field } } })
  })
})

describe('events', () => {
  let shop: Server
  let received: { event: string; id: string; genuine: boolean }[]
  let answer: number
  let beforeReply: () => Promise<void>
  beforeEach(async () => {
    received = []
    answer = 200
    beforeReply = async () => {}
    shop = createServer((request, reply) => {
      let text = ''
      request.on('data', (chunk: Buffer) => (text += chunk.toString()))
      request.on('end', () => {
        const genuine = request.headers['x-razorpay-signature'] === sign(merchant.webhookSecret, text)
        const id = String(request.headers['x-razorpay-event-id'])
        received.push({ event: (JSON.parse(text) as { event: string }).event, id, genuine })
        void beforeReply().then(() => reply.writeHead(answer).end())
      })
    }).listen(0, '127.0.0.1')
    await once(shop, 'listening')
    const { port } = shop.address() as AddressInfo
    await emulator.control('POST', '/_webhooks', { url: `http://127.0.0.1:${port}/hook` })
  })
  afterEach(() => {
    shop.closeAllConnections()
    shop.close()
  })

  const events = () => received.map(({ event }) => event).toSorted((a, b) => (a < b ? -1 : 1))
  const expectCount = async (count: number) => {
    await expect.poll(() => received.length).toBe(count)
  }

  test('signs events over their raw body', async () => {
    await pay((await newOrder()).id)
    await expectCount(3)
    expect(events()).toEqual(['order.paid', 'payment.authorized', 'payment.captured'])
    expect(received.every(({ genuine }) => genuine)).toBe(true)
  })

  test('sends an event again after growing pauses until it is accepted', async () => {
    answer = 500
    await pay((await newOrder()).id, { answer: 'failure' })
    await expectCount(1)
    await emulator.advance(5)
    await expectCount(2)
    answer = 204
    await emulator.advance(15)
    await expectCount(3)
    await expect
      .poll(async () => (await emulator.control('GET', '/_truth?part=webhooks')).body.webhooks)
      .toMatchObject([{ event: 'payment.failed', attempts: 3, delivered: 1 }])
    expect(new Set(received.map(({ id }) => id)).size).toBe(1)
  })

  test('disables a webhook that accepted nothing for a day, until it is enabled again', async () => {
    answer = 500
    await pay((await newOrder()).id, { answer: 'failure' })
    const pauses = [5, 15, 60, 300, 900, 3_600, 10_800, 21_600, 43_200, 5_920]
    for (const [tries, pause] of pauses.entries()) {
      await expectCount(tries + 1)
      await emulator.advance(pause)
    }
    await expectCount(pauses.length + 1)
    const active = async () => (await call('GET', '/webhooks')).body.items[0].active as boolean
    await expect.poll(active).toBe(false)
    answer = 200
    await pay((await newOrder(50_000, 'r-2')).id)
    const { webhooks } = (await emulator.control('GET', '/_truth?part=webhooks')).body
    expect(webhooks).toMatchObject([{ event: 'payment.failed', attempts: 11, delivered: 0 }])
    const { port } = shop.address() as AddressInfo
    await emulator.control('POST', '/_webhooks', { url: `http://127.0.0.1:${port}/hook` })
    await pay((await newOrder(50_000, 'r-3')).id)
    await expectCount(pauses.length + 4)
  })

  test('schedules the next attempt from the last one, even if the clock is stepped before the reply', async () => {
    answer = 500
    beforeReply = () => emulator.advance(5)
    await pay((await newOrder()).id, { answer: 'failure' })
    await expectCount(2)
    expect(events()).toEqual(['payment.failed', 'payment.failed'])
  })

  test('loses, repeats and delays events under faults', async () => {
    for (const fault of [
      { kind: 'loseEvent', operation: 'Webhooks_payment.authorized' },
      { kind: 'repeatEvent', operation: 'Webhooks_payment.captured' },
      { kind: 'delayEvent', operation: 'Webhooks_order.paid', retryAfter: 60 },
    ]) {
      expect((await emulator.control('POST', '/_faults', fault)).status).toBe(201)
    }
    await pay((await newOrder()).id)
    await expectCount(3)
    expect(events()).toEqual(['payment.captured', 'payment.captured', 'payment.captured'])
    await emulator.advance(60)
    await expectCount(4)
    expect(received.at(-1)!.event).toBe('order.paid')
  })
})

describe('checkout page', () => {
  const page = (path: string) => fetch(`${emulator.url}/v1/checkout${path}`)

  test('shows amount and shop, escaped and with its own content security policy', async () => {
    const order = await newOrder(1_23_456_70 / 10)
    const query = new URLSearchParams({ key: merchant.keyId, order_id: order.id, name: '<b>Acme', color: '#123456;}' })
    const reply = await page(`/embedded?${query.toString()}`)
    const text = await reply.text()
    expect(text).toContain('&lt;b&gt;Acme')
    expect(text).toContain('₹12,345.67')
    expect(text).not.toContain('#123456;}')
    expect(reply.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect((await page('/embedded?key=other')).status).toBe(401)
  })

  test('accepts a card and returns the signature after the payment is captured', async () => {
    const order = await newOrder()
    const card = { method: 'card', number: '4111 1111 1111 1111', expiry: '12/30', cvv: '123' }
    const send = (path: string, body: object) =>
      emulator.control('POST', `/v1/checkout${path}`, { key_id: merchant.keyId, order_id: order.id, ...body })
    expect((await send('/payments', { ...card, number: '4111 1111 1111 1112' })).status).toBe(400)
    const { payment_id } = (await send('/payments', card)).body
    expect(await (await page(`/payments/${payment_id}`)).json()).toEqual({ status: 'created' })
    await emulator.control('POST', `/v1/checkout/payments/${payment_id}/bank`, { answer: 'success' })
    expect(await (await page(`/payments/${payment_id}`)).json()).toMatchObject({
      status: 'captured',
      response: { razorpay_signature: sign(merchant.keySecret, `${order.id}|${payment_id}`) },
    })
    expect((await send('/payments', card)).body.error.description).toBe('Payment already done for this order.')
  })
})

test('offers refund and late authorisation on the payments page', async () => {
  const order = await newOrder()
  const failed = await pay(order.id, { answer: 'failure' })
  const paymentsPage = async () => (await fetch(`${emulator.url}/payments`)).text()
  const postForm = (path: string) => fetch(`${emulator.url}/payments/${path}`, { method: 'POST', redirect: 'manual' })
  expect(await paymentsPage()).toContain(`action="/payments/${failed.payment_id}/authorise"`)
  expect((await postForm(`${failed.payment_id}/authorise`)).status).toBe(303)
  expect(await paymentsPage()).toContain('captured')
  await postForm(`${failed.payment_id}/refund`)
  // A second click must not refund again.
  await postForm(`${failed.payment_id}/refund`)
  expect((await call('GET', `/payments/${failed.payment_id}/refunds`)).body.count).toBe(1)
  const page = await paymentsPage()
  expect(page).toContain('₹500.00')
  expect(page).not.toContain('<form')
})
