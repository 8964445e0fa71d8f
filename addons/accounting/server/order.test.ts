import { expect, test } from 'vitest'
import { fault, newPayer } from '@trainyard/platform/test/payments.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'

const env = await sharedEnvironment()
const payer = await newPayer(env)

test('refuses an unknown invoice without an order at the provider', async () => {
  // A call of the provider would answer 503.
  await fault(env, 'serverError', 'Orders_Create', { times: 1 })
  const admin = await env.signIn('admin', payer.email, payer.organisation)
  expect((await admin('POST', '/admin/ledger/order', { amount: 5, invoice: 'unknown' })).status).toBe(404)
  expect((await payer.order(5)).status).toBe(503)
})
