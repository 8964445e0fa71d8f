import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { razorpayDiagnosis } from './razorpay-diagnose.ts'
import { razorpayPayments } from './razorpay-payments.ts'

/** Replies in each form that Razorpay's documentation allows. */

interface Reply {
  readonly status?: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

let replies: Readonly<Record<string, Reply>>
let requests: string[]
const server = createServer((request, response) => {
  const path = request.url ?? ''
  let body = ''
  request.setEncoding('utf8').on('data', (text: string) => (body += text))
  request.on('end', () => {
    requests.push([request.method, path, request.headers['content-type'], body].filter(Boolean).join(' '))
    const reply = replies[path] ?? { status: 404, body: {} }
    response.writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...reply.headers })
    response.end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body))
  })
})
let url: string
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
beforeEach(() => void (requests = []))
afterAll(() => server.close())

const signal = () => AbortSignal.timeout(10_000)
const keys = { keyId: 'rzp_test_1', keySecret: 'secret' }
const provider = () =>
  razorpayPayments({ ...keys, webhookSecret: 'hook', url, checkoutScriptUrl: `${url}/checkout.js` })
const diagnosis = () => razorpayDiagnosis({ ...keys, url })

const payment = {
  id: 'pay_1',
  order_id: 'order_1',
  amount: 500,
  currency: 'INR',
  status: 'captured',
  captured: true,
  amount_refunded: 0,
  created_at: 1_700_000_000,
}
const PAYMENTS = '/v1/orders/order_1/payments'
const REFUNDS = '/v1/payments/pay_1/refunds?count=100'

describe('a payment', () => {
  const listWith = async (overrides: object, refunds: readonly object[] = []) => {
    replies = {
      [PAYMENTS]: { body: { items: [{ ...payment, ...overrides }] } },
      [REFUNDS]: { body: { items: refunds } },
    }
    return (await provider().listPayments('order_1', signal()))[0]!
  }

  test.each([
    [{ captured: true, status: 'captured' }, 'captured'],
    [{ captured: true, status: 'refunded' }, 'captured'],
    [{ captured: false, status: 'authorized' }, 'authorised'],
    [{ captured: false, status: 'created' }, 'waiting'],
    [{ captured: false, status: 'failed' }, 'failed'],
  ])('with %j is %s', async (more, state) => {
    expect((await listWith(more)).state).toBe(state)
  })

  test.each([
    [{ amount_refunded: 0 }],
    [{ amount_refunded: null }],
    [{ amount_refunded: undefined }],
    // The payment was never captured, so Razorpay returned it automatically.
    [{ amount_refunded: 200, captured: false }],
  ])('with %j has no refunds, and none are requested', async (more) => {
    expect((await listWith(more)).refunds).toEqual([])
    expect(requests).toEqual([`GET ${PAYMENTS}`])
  })

  test('with a partial refund lists the processed refunds', async () => {
    const refund = { id: 'rfnd_1', amount: 200, status: 'processed', created_at: 1_700_000_100 }
    const pending = { ...refund, id: 'rfnd_2', status: 'pending' }
    expect((await listWith({ amount_refunded: 1 }, [refund, pending])).refunds).toEqual([
      { id: 'rfnd_1', amount: 200, at: new Date(1_700_000_100_000), receipt: null, state: 'processed' },
    ])
    expect(requests).toEqual([`GET ${PAYMENTS}`, `GET ${REFUNDS}`])
  })

  test('belongs to the requested order if it names no order', async () => {
    expect(await listWith({ order_id: null })).toMatchObject({ orderId: 'order_1', at: new Date(1_700_000_000_000) })
    expect(await listWith({ order_id: 'order_2' })).toMatchObject({ orderId: 'order_2' })
  })
})

describe('a capture', () => {
  const capture = (reply: Reply) => {
    replies = { '/v1/payments/pay_1/capture': reply }
    return provider().capture({ id: 'pay_1', amount: 500 }, signal())
  }

  test('requests the whole amount', async () => {
    await capture({ body: { id: 'pay_1', status: 'captured' } })
    expect(requests).toEqual(['POST /v1/payments/pay_1/capture application/json {"amount":500,"currency":"INR"}'])
  })

  test('ignores a refusal, because the next read shows the state', async () => {
    await expect(capture({ status: 400, body: {} })).resolves.toBeUndefined()
  })

  test.each([
    [500, 'unreachable'],
    [429, 'throttled'],
    [401, 'unauthorised'],
  ])('reports a failure with %d as %s', async (status, kind) => {
    await expect(capture({ status, body: {} })).rejects.toMatchObject({ kind })
  })
})

test.each<[Reply, string, string, number | null]>([
  [{ status: 429, body: {}, headers: { 'retry-after': '7' } }, 'throttled', 'throttled the request', 7],
  [{ status: 429, body: {}, headers: { 'retry-after': 'soon' } }, 'throttled', 'throttled the request', null],
  [{ status: 429, body: {} }, 'throttled', 'throttled the request', null],
  [{ status: 401, body: {} }, 'unauthorised', "rejected the portal's key", null],
  [{ status: 500, body: {} }, 'unreachable', 'an internal error', null],
  [{ status: 400, body: { error: { description: 'The amount is odd.' } } }, 'refused', 'The amount is odd.', null],
  [{ status: 400, body: {} }, 'refused', 'refused the request (status 400)', null],
  [{ status: 400, body: '<html>' }, 'refused', 'refused the request (status 400)', null],
  [{ body: '<html>' }, 'unreachable', 'could not be read', null],
  [{ body: { items: 7 } }, 'unreachable', 'could not be read', null],
])('maps the reply %j to %s', async (reply, kind, words, retryAfter) => {
  replies = { [PAYMENTS]: reply }
  await expect(provider().listPayments('order_1', signal())).rejects.toMatchObject({
    kind,
    message: expect.stringContaining(words),
    retryAfter,
  })
})

describe('settled lines', () => {
  const line = (number: number, overrides: object = {}) => ({
    entity_id: `pay_${number}`,
    type: 'payment',
    debit: 0,
    credit: 97_640,
    amount: 100_000,
    currency: 'INR',
    fee: 2_360,
    tax: 360,
    settled: true,
    settled_at: 1_796_016_600,
    settlement_id: 'setl_1',
    settlement_utr: 'UTR',
    description: null,
    ...overrides,
  })
  const page = (skip: number) => `/v1/settlements/recon/combined?year=2026&month=12&day=07&count=100&skip=${skip}`
  const first = Array.from({ length: 100 }, (_, number) => line(number))
  const list = () => provider().listSettled('2026-12-07', signal())

  test('are read until a page is not full or repeats', async () => {
    replies = { [page(0)]: { body: { items: first } }, [page(100)]: { body: { items: [line(99), line(100)] } } }
    expect((await list()).map(({ id }) => id)).toEqual(Array.from({ length: 101 }, (_, number) => `pay_${number}`))
    replies = { [page(0)]: { body: { items: first } }, [page(100)]: { body: { items: first } } }
    expect(await list()).toHaveLength(100)
  })

  test('have the fee with its tax; unsettled lines are omitted', async () => {
    const open = [{ settled: false }, { settlement_id: null }, { settled_at: null }].map((more, index) =>
      line(index, more),
    )
    replies = { [page(0)]: { body: { items: [...open, line(7, { fee: null, tax: null, settlement_utr: null })] } } }
    expect(await list()).toMatchObject([
      { id: 'pay_7', settlementId: 'setl_1', utr: null, fee: 0, tax: 0, credit: 97_640 },
    ])
  })

  test.each([
    { amount: -1 },
    { fee: 1.5 },
    { entity_id: '' },
    { settlement_id: 'x'.repeat(41) },
    { currency: 'RUPEE' },
  ])('with %j cannot be read', async (more) => {
    replies = { [page(0)]: { body: { items: [line(1, more)] } } }
    await expect(list()).rejects.toMatchObject({ kind: 'unreachable' })
  })
})

describe('the diagnosis', () => {
  const hook = (overrides: object) => ({ url: 'https://labs.test/hook', active: true, events: [], ...overrides })
  const webhooks = (reply: Reply) => {
    replies = { '/v1/webhooks': reply }
    return diagnosis().webhooks(signal())
  }

  test.each([
    [
      { secret_exists: true, events: ['payment.captured'] },
      { hasSecret: true, events: ['payment.captured'] },
    ],
    [{ secret_exists: false }, { hasSecret: false, events: [] }],
    [{ secret_exists: null }, { hasSecret: false }],
    [{}, { hasSecret: false }],
    // Events as a map from name to enabled flag.
    [{ events: { 'payment.captured': true, 'payment.failed': false } }, { events: ['payment.captured'] }],
  ])('reads the webhook %j', async (more, event) => {
    expect(await webhooks({ body: { items: [hook(more)] } })).toMatchObject([event])
  })

  test('treats only a refusal as an account that may not list its webhooks', async () => {
    expect(await webhooks({ status: 400, body: {} })).toBeNull()
    await expect(webhooks({ status: 500, body: {} })).rejects.toMatchObject({ kind: 'unreachable' })
    await expect(webhooks({ status: 401, body: {} })).rejects.toMatchObject({ kind: 'unauthorised' })
  })

  test('distinguishes test keys from live keys', async () => {
    replies = { '/v1/orders?count=1': { body: { items: [] } } }
    expect(await diagnosis().key(signal())).toEqual({ test: true })
    expect(await razorpayDiagnosis({ ...keys, keyId: 'rzp_live_1', url }).key(signal())).toEqual({ test: false })
  })
})
