import { afterEach, expect, test } from 'vitest'
import { type NewOrder, PaymentsError } from './payments-provider.ts'
import { razorpayPayments } from './razorpay-payments.ts'
import type { Caller } from '@trainyard/platform/test/caller.ts'
import { emulatedRazorpay } from '@trainyard/platform/test/adapters.ts'
import { sharedEmulator } from '@trainyard/platform/test/shared.ts'

const emulator = await sharedEmulator()
const payments = razorpayPayments(emulatedRazorpay(emulator.url))
afterEach(() => emulator.clearFaults())

const noAbort = new AbortController().signal
let receipts = 0
const newOrder = (change: Partial<NewOrder> = {}): NewOrder => ({
  receipt: `receipt-${++receipts}`,
  amount: 12_345,
  notes: { organisation: 'Acme' },
  ...change,
})
const control = async (...call: Parameters<Caller>) => (await emulator.control(...call)).body
const fault = (kind: string, operation: string, more = {}) => emulator.fault({ kind, operation, ...more })
const pay = async (order_id: string, answer: string): Promise<string> =>
  (await control('POST', '/_payments', { order_id, answer })).payment_id
const errorOf = async (answer: Promise<unknown>): Promise<Partial<PaymentsError>> => {
  const error = await answer.then(
    () => null,
    (fault: unknown) => fault,
  )
  expect(error).toBeInstanceOf(PaymentsError)
  const { kind, message, retryAfter } = error as PaymentsError
  return { kind, message, retryAfter }
}

test('finds the order whose reply was lost', async () => {
  const order = newOrder()
  await fault('loseReply', 'Orders_Create', { times: 1 })
  const { orderId } = await payments.createOrder(order, noAbort)
  expect(orderId).toMatch(/^order_/)
  expect(await payments.listPayments(orderId, noAbort)).toEqual([])
})

test('does not search for an order that was refused', async () => {
  const order = newOrder()
  const { orderId } = await payments.createOrder(order, noAbort)
  await fault('unauthorised', 'Orders_Create', { times: 1 })
  expect(await errorOf(payments.createOrder(order, noAbort))).toMatchObject({ kind: 'unauthorised' })
  expect(await payments.listPayments(orderId, noAbort)).toEqual([])
})

test('does not return another order with the same receipt', async () => {
  await payments.createOrder(newOrder({ receipt: 'same' }), noAbort)
  await fault('dropConnection', 'Orders_Create', { times: 1 })
  expect(await errorOf(payments.createOrder(newOrder({ receipt: 'same', amount: 500 }), noAbort))).toMatchObject({
    kind: 'unreachable',
  })
})

test.each([
  ['throttle', { kind: 'throttled', retryAfter: 7 }],
  ['serverError', { kind: 'unreachable' }],
  ['unauthorised', { kind: 'unauthorised' }],
  ['hang', { kind: 'unreachable', message: 'The payment provider does not respond. Try again later.' }],
  [
    'malformed',
    { kind: 'unreachable', message: 'The response of the payment provider could not be read. Try again later.' },
  ],
  ['dropConnection', { kind: 'unreachable' }],
])('reports %s when listing payments', async (kind, expected) => {
  const { orderId } = await payments.createOrder(newOrder(), noAbort)
  await fault(kind, 'Orders_FetchPayments', { retryAfter: 7 })
  const provider = kind === 'hang' ? razorpayPayments({ ...emulatedRazorpay(emulator.url), timeout: 400 }) : payments
  expect(await errorOf(provider.listPayments(orderId, noAbort))).toMatchObject(expected)
})

test('reports a refusal in the provider’s words', async () => {
  expect(await errorOf(payments.createOrder(newOrder({ amount: 99 }), noAbort))).toEqual({
    kind: 'refused',
    message: 'Order amount less than minimum amount allowed',
    retryAfter: null,
  })
})

test('lists every attempt, captures an authorised payment, and reports refunds', async () => {
  const { orderId } = await payments.createOrder(newOrder(), noAbort)
  const failed = await pay(orderId, 'failure')
  const validPayment = await pay(orderId, 'authorise')
  const states = async () =>
    Object.fromEntries((await payments.listPayments(orderId, noAbort)).map(({ id, state }) => [id, state]))
  expect(await states()).toEqual({ [failed]: 'failed', [validPayment]: 'authorised' })
  await payments.capture({ id: validPayment, amount: 12_345 }, noAbort)
  // A repeated capture, as after a lost reply, is not an error.
  await payments.capture({ id: validPayment, amount: 12_345 }, noAbort)
  expect(await states()).toEqual({ [failed]: 'failed', [validPayment]: 'captured' })
  const { id } = await control('POST', `/_payments/${validPayment}/refund`, {})
  const seen = (await payments.listPayments(orderId, noAbort)).find((payment) => payment.id === validPayment)
  expect(seen).toMatchObject({ state: 'captured', amount: 12_345, currency: 'INR', refunds: [{ id, amount: 12_345 }] })
})

test('allows checkout frames from the origins of the script and of the API', () => {
  const { frames } = razorpayPayments({
    ...emulatedRazorpay('https://api.razorpay.com'),
    checkoutScriptUrl: 'https://checkout.razorpay.com/v1/checkout.js',
  }).checkout
  expect(frames).toEqual(['https://api.razorpay.com', 'https://checkout.razorpay.com'])
})

test.each(['..', '.', '', 'a/b', '../payments', '%2e%2e', 'a?b', 'a#b', 'a\\b'])(
  'sends no request to Razorpay for an order or a payment with the id %j',
  async (id) => {
    const notSent = { kind: 'refused', message: 'The id is not one of the payment provider. No request was sent.' }
    expect(await errorOf(payments.listPayments(id, noAbort))).toMatchObject(notSent)
  },
)
