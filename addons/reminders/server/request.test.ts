import { sql } from 'kysely'
import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import type { Caller } from '@trainyard/platform/test/caller.ts'
import { newPayer, type Payer } from '@trainyard/platform/test/payments.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'
import { until } from '@trainyard/platform/test/until.ts'
import { brokenInvariants } from '@trainyard/platform/server/invariants/check.ts'

const env = await sharedEnvironment()
await env.worker()
const root: Caller = await env.signIn('superadmin', 'requests-root@portal.test', null)
let payer: Payer
let admin: Caller
let organization: string

interface Request {
  readonly id: string
  readonly state: string
  readonly to: string[] | null
  readonly payment: string | null
}

beforeEach(async () => {
  payer = await newPayer(env)
  admin = await env.signIn('admin', payer.email, payer.organisation)
  const { name } = await env.db
    .selectFrom('organisation')
    .select('name')
    .where('id', '=', payer.organisation)
    .executeTakeFirstOrThrow()
  organization = name
})

const requests = async (): Promise<Request[]> => (await admin('GET', '/admin/ledger/requests')).body.requests

async function request(days = 14): Promise<Request> {
  const body = { organization, amount: 500.5, about: 'The balance of October', days }
  expect(await root('POST', '/admin/ledger/requests', body)).toMatchObject({
    status: 200,
    body: { message: `₹500.50 requested from ${organization}.` },
  })
  return (await requests())[0]!
}

const order = (of: Request, amount = 500.5) => admin('POST', '/admin/ledger/order', { amount, request: of.id })

test('mails a request with its link, creates one order for it and credits it once', async () => {
  const requested = await request()
  const mailed = await until(
    'it is mailed',
    async () => (await requests())[0]!.to,
    (to) => to !== null,
  )
  expect(mailed).toEqual([payer.email])
  const { body: truth } = await env.control('GET', '/_truth?part=mails')
  expect(JSON.stringify(truth)).toContain(`/ledger/account?request=${requested.id}`)

  const orders = await Promise.all(Array.from({ length: 10 }, () => order(requested)))
  expect(new Set(orders.map(({ status, body }) => `${status} ${body.order_id}`)).size).toBe(1)
  const paid = await payer.payInCheckout(orders[0]!.body)
  await payer.untilCredited(paid.payment_id)
  expect(await requests()).toMatchObject([{ state: 'paid', payment: paid.payment_id }])
  expect(await payer.payments()).toEqual([{ id: paid.payment_id, payment: 500.5 }])
  expect(await order(requested)).toMatchObject({ status: 409, body: { message: 'This request has been paid.' } })
  const cancel = await root('POST', '/admin/ledger/requests/cancel', { id: requested.id })
  expect(cancel).toMatchObject({ status: 409, body: { message: 'This request has been paid.' } })
})

test("refuses to pay a cancelled or expired request, another amount, or another organisation's request", async () => {
  const cancelled = await request()
  expect((await order(cancelled, 500)).body.message).toBe('amount must be what the request asks for.')
  const otherwise = { prepaid: { trainingName: null } }
  const bought = await admin('POST', '/admin/ledger/order', { amount: 500.5, request: cancelled.id, ...otherwise })
  expect([bought.status, bought.body.message]).toEqual([400, 'The request must not contain both request and prepaid.'])
  const other = await env.signIn('admin', `other@${randomUUID()}.test`, await env.organisation(randomUUID()))
  const foreign = await other('POST', '/admin/ledger/order', { amount: 500.5, request: cancelled.id })
  const absent = await other('POST', '/admin/ledger/order', { amount: 500.5, request: randomUUID() })
  expect([foreign.status, foreign.body.message]).toEqual([absent.status, absent.body.message])
  expect(absent.status).toBe(404)
  // A payer who is already at the checkout is still credited, and the request becomes paid.
  const started = (await order(cancelled)).body
  expect((await root('POST', '/admin/ledger/requests/cancel', { id: cancelled.id })).status).toBe(200)
  expect(await order(cancelled)).toMatchObject({
    status: 409,
    body: { message: 'This request was cancelled. No payment is due.' },
  })
  const paid = await payer.payInCheckout(started)
  await payer.untilCredited(paid.payment_id)
  expect(await requests()).toMatchObject([{ state: 'paid' }])

  const expiring = await request(1)
  await env.step(86_401)
  expect((await requests())[0]).toMatchObject({ state: 'expired' })
  expect(await order(expiring)).toMatchObject({
    status: 409,
    body: { message: 'This request has expired. Pay the balance, or ask for a new request.' },
  })
})

test('reports an invariant for a payment whose amount differs from its request', async () => {
  await order(await request())
  const broken = async () => (await brokenInvariants(env.db, { quiet: false })).map(({ name }) => name)
  expect(await broken()).toEqual([])
  const change = sql`update payment set amount_paise = amount_paise + 1 where request is not null`
  await expect(change.execute(env.parts.db)).rejects.toThrow('permission denied')
  await change.execute(env.db)
  expect(await broken()).toEqual(['L10'])
})
