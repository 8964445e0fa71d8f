import { expect, test } from 'vitest'
import { createSubjects, PEOPLE } from '@trainyard/platform/test/world.ts'
import { sharedPortal } from '@trainyard/platform/test/shared.ts'

const SECRET_KEYS = `test:${Buffer.alloc(32, 7).toString('base64')}`
const portal = await sharedPortal({ NODE_ENV: 'production', SECRET_KEYS })
const { own } = await createSubjects(portal)

const refusal = { message: 'Online payment is not available: no payment provider is set up.' }

test("refuses payments and the checkout's content in production without a provider", async () => {
  const uid = await portal.sessionOf(PEOPLE.admin)
  const ordered = await portal.request('POST', '/admin/ledger/order', { uid, body: { amount: 10 } })
  expect([ordered.status, await ordered.json()]).toMatchObject([409, refusal])
  const verified = await portal.request('POST', '/admin/ledger/paymentVerify', {
    uid,
    body: { ...own.paid, amount: 100 },
  })
  expect([verified.status, await verified.json()]).toMatchObject([409, refusal])
  const notified = await portal.request('POST', '/payments/webhook', { body: '{}' })
  expect(notified.status).toBe(409)
  const policy = notified.headers.get('content-security-policy')!
  expect(policy).toContain("frame-src 'self';")
  expect(policy).not.toContain('http:')
})
