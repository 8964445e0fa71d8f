import { sql } from 'kysely'
import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import type { Caller } from '#test/caller.ts'
import { newPayer, type Payer } from '#test/payments.ts'
import { sharedEnvironment } from '#test/shared.ts'
import { until } from '#test/until.ts'
import { brokenInvariants } from '../../../invariants/check.ts'

const env = await sharedEnvironment()
await env.worker()
const root: Caller = await env.as('superadmin', 'requests-root@portal.test', null)
let payer: Payer
let admin: Caller
let organization: string

interface Asked {
  readonly id: string
  readonly state: string
  readonly to: string[] | null
  readonly payment: string | null
}

beforeEach(async () => {
  payer = await newPayer(env)
  admin = await env.as('admin', payer.email, payer.organisation)
  const { name } = await env.db
    .selectFrom('organisation')
    .select('name')
    .where('id', '=', payer.organisation)
    .executeTakeFirstOrThrow()
  organization = name
})

const requests = async (): Promise<Asked[]> => (await admin('GET', '/admin/ledger/requests')).body.requests

async function request(days = 14): Promise<Asked> {
  const body = { organization, amount: 500.5, about: 'The balance of October', days }
  expect(await root('POST', '/admin/ledger/requests', body)).toMatchObject({
    status: 200,
    body: { message: `${organization} is asked for ₹500.50.` },
  })
  return (await requests())[0]!
}

const order = (of: Asked, amount = 500.5) => admin('POST', '/admin/ledger/order', { amount, request: of.id })

// @covers R18.7
test('a request is mailed with its link, paid by one order however often it is opened, and credited once', async () => {
  const asked = await request()
  const mailed = await until(
    'it is mailed',
    async () => (await requests())[0]!.to,
    (to) => to !== null,
  )
  expect(mailed).toEqual([payer.email])
  const { body: truth } = await env.control('GET', '/_truth?part=mails')
  expect(JSON.stringify(truth)).toContain(`/ledger/account?request=${asked.id}`)

  // Ten at once, in as many windows.
  const orders = await Promise.all(Array.from({ length: 10 }, () => order(asked)))
  expect(new Set(orders.map(({ status, body }) => `${status} ${body.order_id}`)).size).toBe(1)
  const paid = await payer.payAtBank(orders[0]!.body)
  await payer.arrived(paid.payment_id)
  expect(await requests()).toMatchObject([{ state: 'paid', payment: paid.payment_id }])
  expect(await payer.payments()).toEqual([{ id: paid.payment_id, payment: 500.5 }])
  expect(await order(asked)).toMatchObject({ status: 409, body: { message: 'This request has been paid.' } })
  const cancel = await root('POST', '/admin/ledger/requests/cancel', { id: asked.id })
  expect(cancel).toMatchObject({ status: 409, body: { message: 'This request has been paid.' } })
})

// @covers R18.7
test('a request that was cancelled or has expired can’t be paid, nor one of another amount or organisation', async () => {
  const cancelled = await request()
  expect((await order(cancelled, 500)).body.message).toBe('amount must be what the request asks for.')
  const other = await env.as('admin', `other@${randomUUID()}.test`, await env.organisation(randomUUID()))
  const foreign = await other('POST', '/admin/ledger/order', { amount: 500.5, request: cancelled.id })
  const absent = await other('POST', '/admin/ledger/order', { amount: 500.5, request: randomUUID() })
  expect([foreign.status, foreign.body.message]).toEqual([absent.status, absent.body.message])
  expect(absent.status).toBe(404)
  // Somebody is at the checkout already: their money is credited all the same, and the request says so.
  const begun = (await order(cancelled)).body
  expect((await root('POST', '/admin/ledger/requests/cancel', { id: cancelled.id })).status).toBe(200)
  expect(await order(cancelled)).toMatchObject({
    status: 409,
    body: { message: 'This request was cancelled. Nothing is to be paid for it.' },
  })
  const paid = await payer.payAtBank(begun)
  await payer.arrived(paid.payment_id)
  expect(await requests()).toMatchObject([{ state: 'paid' }])

  const expiring = await request(1)
  await env.step(86_401)
  expect((await requests())[0]).toMatchObject({ state: 'expired' })
  expect(await order(expiring)).toMatchObject({
    status: 409,
    body: { message: 'This request has expired. Pay the balance, or ask for another request.' },
  })
})

test('a payment of another amount than its request asked for breaks an invariant', async () => {
  await order(await request())
  const broken = async () => (await brokenInvariants(env.db, { quiet: false })).map(({ name }) => name)
  expect(await broken()).toEqual([])
  // The database refuses such a change, as long as its trigger stands.
  const change = sql`update payment set amount_paise = amount_paise + 1 where request is not null`
  await expect(change.execute(env.db)).rejects.toThrow('never change')
  await sql`alter table payment disable trigger user`.execute(env.db)
  await change.execute(env.db)
  expect(await broken()).toEqual(['L10'])
})
