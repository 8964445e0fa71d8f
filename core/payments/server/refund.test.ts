/** @module-tag full */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  differences,
  fault,
  loseEvents,
  newPayer,
  type Payer,
  untilSettled,
} from '@trainyard/platform/test/payments.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'
import { until } from '@trainyard/platform/test/until.ts'
import { untilWaitingForLock } from '@trainyard/platform/test/lock-waits.ts'
import { makeRefundsDue } from './refund-due.ts'

const env = await sharedEnvironment()
let root: Awaited<ReturnType<typeof env.signIn>>
let payer: Payer
let organization: string
let payment: string

beforeAll(async () => {
  root = await env.signIn('superadmin', 'root@refunds.test', null)
  await env.worker()
})
beforeEach(async () => {
  payer = await newPayer(env)
  organization = payer.email.slice('admin@'.length, -'.test'.length)
  const paid = await payer.paidOrder(500)
  await payer.verify(paid)
  payment = paid.payment_id
})
afterEach(async () => {
  await env.control('DELETE', '/_faults')
  await env.control('POST', '/_refunds', { wait: false })
})

const requestRefund = (amount: number, headers?: Record<string, string>) =>
  root('POST', '/admin/ledger/refunds', { organization, payment, amount, reason: 'Paid twice' }, headers)
const read = async () => {
  const reply = await root('GET', `/admin/ledger/refunds?organization=${organization}`)
  expect(reply.status).toBe(200)
  return reply.body
}
const newest = async () => (await read()).refunds[0]
const reached = (state: string) =>
  until(
    `the refund is ${state}`,
    () => newest(),
    (refund) => refund?.state === state,
  )
const lines = async () => (await payer.payments()).map((line) => line.payment)
const providerRefunds = async () => {
  const { body } = await env.control('GET', '/_truth?part=payments')
  const found = (body.payments as { id: string; refunds: { id: string; amount: number; status: string }[] }[]).find(
    ({ id }) => id === payment,
  )
  return found!.refunds
}
/** Makes the refund due now, as after its retry delay. */
const wake = async () => {
  await sql`update refund set reconcile_at = portal_now() where payment = ${payment}`.execute(env.db)
  await sql`select pg_notify('refund_due', '')`.execute(env.db)
}

test('refunds a payment in parts up to its amount, each with its own ledger and audit entry', async () => {
  expect(await requestRefund(120.5)).toMatchObject({
    status: 200,
    body: { message: `₹120.50 of ${payment} will be refunded.` },
  })
  await reached('processed')
  expect(await lines()).toEqual([500, -120.5])
  expect((await read()).payments).toMatchObject([{ id: payment, amountPaise: 50_000, leftPaise: 37_950 }])
  expect(await requestRefund(379.51)).toMatchObject({
    status: 409,
    body: { message: `At most ₹379.50 of ${payment} can be refunded.` },
  })
  expect((await requestRefund(379.5)).status).toBe(200)
  await until(
    'the rest is back',
    () => lines(),
    (all) => all.length === 3,
  )
  expect(await requestRefund(1)).toMatchObject({
    status: 409,
    body: { message: `${payment} is already refunded, or the refund is in progress.` },
  })
  const { rows } = await sql`select kind, refund_of, created_by from ledger_entry
    where organisation_id = ${payer.organisation} and kind = 'refund'`.execute(env.db)
  expect(rows).toEqual([1, 2].map(() => ({ kind: 'refund', refund_of: payment, created_by: 'root@refunds.test' })))
  await sql`update refund set generation = generation + 1, reconcile_at = portal_now() where payment = ${payment}`.execute(
    env.db,
  )
  await until(
    'both were polled again',
    async () => (await sql`select from refund where reconcile_at is not null`.execute(env.db)).rows.length,
    (left) => left === 0,
  )
  const { rows: audited } = await sql<{ call: string }>`select call from audit
    where call like 'payment.refund%' and detail::text like ${`%${payment}%`} order by id`.execute(env.db)
  expect(audited.map(({ call }) => call).toSorted()).toEqual([
    'payment.refund',
    'payment.refund',
    'payment.refunded',
    'payment.refunded',
  ])
  expect(await differences(env)).toEqual([])
})

test('accepts one of ten concurrent refunds of more than half, and one of two with the same key', async () => {
  const replies = await Promise.all(Array.from({ length: 10 }, () => requestRefund(300)))
  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, ...Array(9).fill(409)])
  const twice = await Promise.all([1, 2].map(() => requestRefund(100, { 'idempotency-key': `once ${payment}` })))
  expect(twice.map(({ status }) => status)).toEqual([200, 200])
  await until(
    'both are back',
    () => lines(),
    (all) => all.length === 3,
  )
  expect(await providerRefunds()).toHaveLength(2)
  expect(await differences(env)).toEqual([])
})

test('refunds once after a lost reply, a server error, throttling or a malformed reply', async () => {
  for (const [kind, more] of [
    ['loseReply', {}],
    ['serverError', {}],
    ['throttle', { retryAfter: 1 }],
    ['malformed', {}],
  ] as const) {
    await fault(env, kind, 'Payments_Refund', { times: 1, ...more })
    await requestRefund(50)
    await until(
      'it failed once',
      () => newest(),
      ({ error, state }) => error !== null || state === 'processed',
    )
    await wake()
    await env.step(60)
    await wake()
    await reached('processed')
  }
  expect((await providerRefunds()).map(({ amount }) => amount)).toEqual([5_000, 5_000, 5_000, 5_000])
  expect(await lines()).toEqual([500, -50, -50, -50, -50])
  expect(await differences(env)).toEqual([])
})

test('sends a refund again after a killed worker only if the provider does not know the refund', async () => {
  const insertSent = async (id: string) =>
    sql`insert into refund (id, organisation_id, order_row, payment, amount_paise, reason, asked_by, state)
      select ${id}, organisation_id, id, ${payment}, 10000, 'Died', 'root@refunds.test', 'sent'
      from payment where ${payment} = any(credited)`.execute(env.db)
  const [before, after] = [randomUUID(), randomUUID()]
  await insertSent(before)
  await insertSent(after)
  await loseEvents(env)
  await env.parts.payments!.refund({ paymentId: payment, amount: 10_000, receipt: after }, AbortSignal.timeout(5_000))
  await wake()
  await until(
    'both are back',
    () => lines(),
    (all) => all.length === 3,
  )
  expect(await providerRefunds()).toHaveLength(2)
  expect(await differences(env)).toEqual([])
})

test('locks the refunds of an order in the order of their IDs, like the worker that renews claims', async () => {
  // A late event of the order would schedule the refunds too.
  await untilSettled(env)
  await loseEvents(env)
  const { id: orderRow, order_id } = await env.db
    .selectFrom('payment')
    .select(['id', 'order_id'])
    .where(sql<boolean>`${payment} = any(credited)`)
    .executeTakeFirstOrThrow()
  const [first, second] = [randomUUID(), randomUUID()].toSorted() as [string, string]
  // Refunds are inserted in reverse, so that an update in table order would lock the second row first.
  for (const id of [second, first])
    await sql`insert into refund (id, organisation_id, order_row, payment, amount_paise, reason, asked_by, state)
      select ${id}, organisation_id, id, ${payment}, 10000, 'Waits', 'root@refunds.test', 'pending'
      from payment where id = ${orderRow}`.execute(env.db)
  let woken: Promise<void> | undefined
  await env.db.transaction().execute(async (tx) => {
    await sql`select from refund where id = ${first} for update`.execute(tx)
    woken = env.parts.db.transaction().execute((other) => makeRefundsDue(other, order_id))
    await untilWaitingForLock(env.db, 1)
    const free = await sql`select from refund where id = ${second} for update skip locked`.execute(tx)
    expect(free.rows).toHaveLength(1)
  })
  await woken
  await until(
    'both are back',
    () => lines(),
    (all) => all.length === 3,
  )
})

test('adds a pending refund to the ledger when the bank processes it and never when it fails', async () => {
  await env.control('POST', '/_refunds', { wait: true })
  await requestRefund(200)
  const { number } = (await reached('pending'))!
  expect(await lines()).toEqual([500])
  expect((await read()).payments[0].leftPaise).toBe(30_000)
  await env.control('POST', `/_refunds/${number}`, { status: 'failed' })
  expect(await reached('failed')).toMatchObject({ error: 'The bank rejected the refund.' })
  expect((await read()).payments[0].leftPaise).toBe(50_000)
  await requestRefund(500)
  const again = (await reached('pending'))!
  await loseEvents(env)
  await env.control('POST', `/_refunds/${again.number}`, { status: 'processed' })
  await env.step(61)
  await wake()
  await reached('processed')
  expect(await lines()).toEqual([500, -500])
  await untilSettled(env)
  expect(await differences(env)).toEqual([])
})

test("counts a refund made at the provider and treats the provider's refusal as final", async () => {
  await untilSettled(env)
  await loseEvents(env)
  await sql`update payment set reconcile_at = portal_now() + interval '1 hour'
    where ${payment} = any(credited)`.execute(env.db)
  await env.control('POST', `/_payments/${payment}/refund`, { amount: 40_000 })
  // The portal does not know that refund yet, so the provider refuses.
  await requestRefund(200)
  expect(await reached('failed')).toMatchObject({ error: 'The refund amount provided is greater than amount captured' })
  await env.step(3_600)
  await until(
    'it is known',
    () => lines(),
    (all) => all.length === 2,
  )
  expect((await read()).payments[0].leftPaise).toBe(10_000)
  expect((await requestRefund(100.01)).status).toBe(409)
})

test('limits refunds to the payment, and protects their amount in the database', async () => {
  const insert = (amount: number) =>
    sql`insert into refund (organisation_id, order_row, payment, amount_paise, reason, asked_by, reconcile_at)
      select organisation_id, id, ${payment}, ${amount}, 'By hand', 'nobody', null
      from payment where ${payment} = any(credited)`.execute(env.parts.db)
  await insert(49_999)
  await expect(insert(100)).rejects.toThrow(/Refunds exceed the payment/)
  const change = sql`update refund set amount_paise = 100 where payment = ${payment}`
  await expect(change.execute(env.parts.db)).rejects.toThrow('permission denied')
})
