import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Razorpay from 'razorpay'
import { validatePaymentVerification, validateWebhookSignature } from 'razorpay/dist/utils/razorpay-utils.js'
import { afterAll, expect, test } from 'vitest'
import { printVersions } from './package-version.ts'
import { merchant } from '@trainyard/payments/emulator/merchant.ts'
import { sharedTestEmulator } from '../shared-test-emulator.ts'

interface Event {
  readonly body: string
  readonly signature: string
}

const subscribed = ['payment.authorized', 'payment.captured', 'order.paid', 'refund.created', 'refund.processed']
const events: Event[] = []

const emulator = await sharedTestEmulator()
const shop = createServer((request, reply) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const body = Buffer.concat(chunks).toString('utf8')
    events.push({ body, signature: String(request.headers['x-razorpay-signature']) })
    reply.writeHead(200).end()
  })
}).listen(0, '127.0.0.1')
await once(shop, 'listening')
const { port } = shop.address() as AddressInfo
await emulator.control('POST', '/_webhooks', { url: `http://127.0.0.1:${port}/hook`, events: subscribed })
const razorpay = clientWith(merchant.keySecret)
afterAll(() => {
  shop.closeAllConnections()
  shop.close()
})

/** Returns Razorpay's own client. Its address is fixed, so the address of its transport is changed. */
function clientWith(key_secret: string): Razorpay {
  const client = new Razorpay({ key_id: merchant.keyId, key_secret })
  const transport = client.api as unknown as { rq: { defaults: { baseURL: string } } }
  transport.rq.defaults.baseURL = emulator.url
  return client
}

/** Creates a payment of the order that is authorised but not captured. */
async function authorised(order_id: string): Promise<{ payment_id: string; signature: string }> {
  const { body } = await emulator.control('POST', '/_payments', { order_id, answer: 'authorise' })
  return body as { payment_id: string; signature: string }
}

test("takes an order to a refunded payment with Razorpay's client and signed events", async () => {
  printVersions('razorpay')
  const order = await razorpay.orders.create({
    amount: 50_000,
    currency: 'INR',
    receipt: 'r-1',
    notes: { for: 'Acme' },
  })
  expect(order).toMatchObject({ status: 'created', amount: 50_000, amount_due: 50_000, notes: { for: 'Acme' } })
  expect((await razorpay.orders.all({ receipt: 'r-1' })).items.map(({ id }) => id)).toEqual([order.id])

  const { payment_id, signature } = await authorised(order.id)
  const paid = { order_id: order.id, payment_id }
  expect(validatePaymentVerification(paid, signature, merchant.keySecret)).toBe(true)
  expect(validatePaymentVerification({ ...paid, order_id: 'order_other' }, signature, merchant.keySecret)).toBe(false)
  expect((await razorpay.payments.fetch(payment_id)).status).toBe('authorized')
  const captured = await razorpay.payments.capture(payment_id, 50_000, 'INR')
  expect(captured).toMatchObject({ status: 'captured', captured: true, order_id: order.id })
  expect(await razorpay.orders.fetch(order.id)).toMatchObject({ status: 'paid', amount_paid: 50_000, amount_due: 0 })
  expect((await razorpay.orders.fetchPayments(order.id)).items.map(({ id }) => id)).toEqual([payment_id])

  const part = await razorpay.payments.refund(payment_id, { amount: 20_000, receipt: 'back-1' })
  expect(part).toMatchObject({ entity: 'refund', amount: 20_000, status: 'processed', receipt: 'back-1' })
  expect(await razorpay.payments.fetch(payment_id)).toMatchObject({ status: 'captured', refund_status: 'partial' })
  const remainingRefund = await razorpay.payments.refund(payment_id, {})
  expect(remainingRefund.amount).toBe(30_000)
  expect(await razorpay.refunds.fetch(remainingRefund.id)).toMatchObject({ payment_id, amount: 30_000 })
  expect((await razorpay.payments.fetchMultipleRefund(payment_id, {})).count).toBe(2)
  expect(await razorpay.payments.fetch(payment_id)).toMatchObject({ status: 'refunded', refund_status: 'full' })

  await expect.poll(() => events.length).toBe(7)
  for (const { body, signature: sent } of events) {
    expect(validateWebhookSignature(body, sent, merchant.webhookSecret)).toBe(true)
    expect(validateWebhookSignature(`${body} `, sent, merchant.webhookSecret)).toBe(false)
  }
  const eventNames = events.map(({ body }) => (JSON.parse(body) as { event: string }).event)
  expect(new Set(eventNames)).toEqual(new Set(subscribed))
})

test("refuses invalid orders with Razorpay's messages", async () => {
  const expectRefused = async (order: object, description: string) => {
    const promise = razorpay.orders.create({ amount: 100, currency: 'INR', ...order })
    await expect(promise).rejects.toMatchObject({
      statusCode: 400,
      error: { code: 'BAD_REQUEST_ERROR', description, reason: 'input_validation_failed' },
    })
  }
  await expectRefused({ amount: 99 }, 'Order amount less than minimum amount allowed')
  await expectRefused({ amount: 10.5 }, 'The amount must be an integer.')
  await expectRefused({ currency: 'XYZ' }, 'Currency is not supported')
  await expectRefused({ receipt: 'x'.repeat(41) }, 'The receipt may not be greater than 40 characters.')
  await expectRefused({ colour: 'red', size: 1 }, 'colour, size is/are not required and should not be sent')
  const notes = Object.fromEntries(Array.from({ length: 16 }, (_, number) => [`key${number}`, 'x']))
  await expectRefused({ notes }, 'The notes may not have more than 15 pairs.')
  await expectRefused({ notes: { long: 'x'.repeat(257) } }, 'The notes may not be greater than 256 characters each.')
})

test('captures and refunds at most the authorised amount', async () => {
  const expectRefused = (promise: Promise<unknown>, description: string) =>
    expect(promise).rejects.toMatchObject({ statusCode: 400, error: { code: 'BAD_REQUEST_ERROR', description } })
  const order = await razorpay.orders.create({ amount: 1_000, currency: 'INR' })
  const { payment_id } = await authorised(order.id)
  await expectRefused(razorpay.payments.refund(payment_id, {}), 'The payment must be captured in order to be refunded')
  await expectRefused(
    razorpay.payments.capture(payment_id, 900, 'INR'),
    'Capture amount must be equal to the amount authorized',
  )
  await razorpay.payments.capture(payment_id, 1_000, 'INR')
  await expectRefused(razorpay.payments.capture(payment_id, 1_000, 'INR'), 'This payment has already been captured')
  await expectRefused(
    razorpay.payments.refund(payment_id, { amount: 1_001 }),
    'The refund amount provided is greater than amount captured',
  )
  await expectRefused(razorpay.payments.refund(payment_id, { amount: 99 }), 'The amount must be atleast INR 1.00')
  await razorpay.payments.refund(payment_id, { amount: 400 })
  await expectRefused(
    razorpay.payments.refund(payment_id, { amount: 601 }),
    'The refund amount provided is greater than amount captured',
  )
  await razorpay.payments.refund(payment_id, {})
  await expectRefused(razorpay.payments.refund(payment_id, {}), 'The payment has been fully refunded already')
  await expectRefused(razorpay.payments.fetch('pay_nobody00000000'), 'The id provided does not exist')
})

test("reports settled payments to Razorpay's client", async () => {
  const order = await razorpay.orders.create({ amount: 2_000, currency: 'INR' })
  const { payment_id } = await authorised(order.id)
  await razorpay.payments.capture(payment_id, 2_000, 'INR')
  await emulator.control('POST', '/_clock', { advanceSeconds: 7 * 86_400 })
  const { now } = (await emulator.control('GET', '/_clock')).body as { now: string }
  const items: { entity_id: string }[] = []
  for (const daysAgo of [7, 0]) {
    const day = new Date(Date.parse(now) - daysAgo * 86_400_000)
    const month = { year: day.getUTCFullYear(), month: day.getUTCMonth() + 1 }
    const report: unknown = await razorpay.settlements.reports({ ...month, count: 100 })
    items.push(...(report as { items: { entity_id: string }[] }).items)
  }
  const line = items.find(({ entity_id }) => entity_id === payment_id)
  expect(line).toMatchObject({ type: 'payment', amount: 2_000, fee: 48, tax: 8, credit: 1_952, settled: true })
})

test('refuses wrong credentials and unknown paths in the format that the client reads', async () => {
  await expect(clientWith('another').orders.all()).rejects.toMatchObject({
    statusCode: 401,
    error: { code: 'BAD_REQUEST_ERROR', description: 'Authentication failed' },
  })
  // razorpay-node#148
  await expect(razorpay.transfers.all()).rejects.toMatchObject({
    statusCode: 400,
    error: { code: 'BAD_REQUEST_ERROR', description: 'The requested URL was not found on the server.' },
  })
})
