import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { failedWith, sharedDoctorPortal } from '@trainyard/platform/test/doctor-portal.ts'

const doctorPortal = await sharedDoctorPortal()
afterEach(() => doctorPortal.control('DELETE', '/_faults'))

const runChecks = (settings = {}) => doctorPortal.examine('Razorpay', settings)
const hook = () => `${doctorPortal.portal.url}/api/payments/webhook`

/** Settings of a real merchant account. Its address is the emulator. */
const merchant = (overrides = {}) => ({
  RAZORPAY_KEY_ID: 'rzp_test_EmulatedTest01',
  RAZORPAY_KEY_SECRET: 'emulated-key-secret',
  RAZORPAY_WEBHOOK_SECRET: 'emulated-webhook-secret',
  RAZORPAY_API_URL: doctorPortal.emulator.url,
  ...overrides,
})

test("reports no problem at first, with the emulator's account and with a merchant's account", async () => {
  const allGreen = { key: 'green', webhook: 'green', 'webhook address': 'green', 'webhook secret': 'green' }
  expect(await runChecks()).toEqual(allGreen)
  expect(await runChecks(merchant())).toEqual(allGreen)
})

test('reports a key that Razorpay rejects', async () => {
  expect(await runChecks(merchant({ RAZORPAY_KEY_SECRET: 'wrong' }))).toMatchObject({
    key: failedWith(/rejected the portal's key/, /RAZORPAY_KEY_SECRET/),
    webhook: 'not run',
    'webhook secret': 'green',
  })
})

test('reports that Razorpay does not respond', async () => {
  await doctorPortal.control('POST', '/_faults', { kind: 'dropConnection', operation: 'Orders_List' })
  expect(await runChecks()).toMatchObject({ key: failedWith(/does not respond/) })
})

test('reports a missing, misdirected, disabled or incomplete webhook', async () => {
  await doctorPortal.control('POST', '/_webhooks', { url: 'https://old.example.com/api/payments/webhook' })
  expect(await runChecks(merchant())).toMatchObject({ webhook: failedWith(/sends no events to http/, /dashboard/) })
  await doctorPortal.control('POST', '/_webhooks', { url: '' })
  expect(await runChecks()).toMatchObject({ webhook: failedWith(/sends no events/) })
  await doctorPortal.control('POST', '/_webhooks', { url: hook(), active: false, events: ['payment.captured'] })
  const { webhook } = await runChecks(merchant())
  expect(webhook).toEqual(failedWith(/is disabled/, /enable it/))
  expect(webhook).toEqual(failedWith(/does not receive payment.authorized, payment.failed, order.paid/, /select/))
})

test('reports a running portal with another webhook secret', async () => {
  expect(await runChecks(merchant({ RAZORPAY_WEBHOOK_SECRET: 'another' }))).toMatchObject({
    'webhook secret': failedWith(/another RAZORPAY_WEBHOOK_SECRET/, /restart/),
  })
})

test('reports a proxy that requires a login for webhooks', async () => {
  const proxy = createServer((request, reply) => {
    if (request.method === 'POST') return void reply.writeHead(401).end('Who are you?')
    void fetch(`${doctorPortal.portal.url}${request.url}`).then(async (answer) => reply.end(await answer.text()))
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void proxy.close())
  const PUBLIC_URL = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  expect(await runChecks({ PUBLIC_URL })).toMatchObject({
    'webhook address': failedWith(/answered 401 instead of the portal's reply/, /without a login/),
    'webhook secret': 'green',
  })
})

test('is not used in production without a key', async () => {
  expect(await runChecks({ NODE_ENV: 'production' })).toEqual({ key: 'not used' })
})

test('writes no event and no audit row', async () => {
  const audited = () => doctorPortal.portal.owner.selectFrom('audit').selectAll().execute()
  const before = await audited()
  await runChecks()
  expect(await audited()).toEqual(before)
})
