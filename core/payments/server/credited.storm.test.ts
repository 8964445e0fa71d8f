import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { brokenInvariants } from '@trainyard/platform/server/invariants/check.ts'
import { type PaymentInRecord, paymentDifferences } from './compare-payments.ts'
import { freePort } from '@trainyard/platform/test/ports.ts'
import type { Reply } from '@trainyard/platform/test/caller.ts'
import { until } from '@trainyard/platform/test/until.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'

/** The long form, `npm run storm`, makes 1,000 payments. */
const LONG = process.env.STORM === 'long'
const PAYMENTS = LONG ? 1_000 : 24
const KILLS = LONG ? 6 : 1
const CONCURRENCY = 12
const WAIT = LONG ? 600_000 : 60_000

const FAULTS = [
  { kind: 'loseReply', operation: 'Orders_Create', every: 7 },
  { kind: 'serverError', operation: 'Orders_*', every: 23 },
  { kind: 'throttle', operation: 'Orders_FetchPayments', every: 19, retryAfter: 2 },
  { kind: 'dropConnection', operation: 'Orders_FetchPayments', every: 17 },
  { kind: 'loseEvent', operation: 'Webhooks_*', every: 3 },
  { kind: 'repeatEvent', operation: 'Webhooks_*', every: 4 },
  { kind: 'delayEvent', operation: 'Webhooks_*', every: 5, retryAfter: 240 },
]

const parts = new Map<string, ChildProcess>()
const env = await sharedEnvironment()
afterAll(() => {
  for (const part of parts.values()) part.kill('SIGKILL')
})
const port = await freePort()
await env.control('POST', '/_webhooks', { url: `http://127.0.0.1:${port}/api/payments/webhook` })
for (const fault of FAULTS) await env.control('POST', '/_faults', fault)
await Promise.all([startPart('api'), startPart('worker')])

async function startPart(name: 'api' | 'worker'): Promise<void> {
  const part = spawn(
    process.execPath,
    [fileURLToPath(new URL('../../../apps/server/main.ts', import.meta.url)), name],
    {
      stdio: 'ignore',
      env: {
        PATH: process.env['PATH'],
        // The processes share a compile cache of Node.js.
        TMPDIR: process.env['TMPDIR'],
        ...env.portal.settings,
        PORT: String(port),
      },
    },
  )
  parts.set(name, part)
  if (name === 'api') {
    await until(
      'the API answers',
      () => fetch(`http://127.0.0.1:${port}/api/health`).catch(() => null),
      (reply) => reply !== null,
      WAIT,
    )
  }
}

async function kill(name: 'api' | 'worker'): Promise<void> {
  const part = parts.get(name)!
  part.kill('SIGKILL')
  await once(part, 'exit')
  // In the short form the next worker runs in this process, which starts a second faster.
  if (name === 'worker' && !LONG) await env.worker()
  else await startPart(name)
}

type Post = (path: string, body: object, headers?: Record<string, string>) => Promise<Reply>

/** Posts like the web client: retries on network errors and 503. */
function postingWith(token: string): Post {
  return async (path, body, headers = {}) => {
    const post = async (): Promise<Reply> => {
      const reply = await fetch(`http://127.0.0.1:${port}/api${path}`, {
        method: 'POST',
        headers: { ...headers, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(20_000),
      })
      return { status: reply.status, body: await reply.json() }
    }
    const answered = await until(
      `${path} is answered`,
      () => post().catch(() => null),
      (reply) => reply !== null && reply.status !== 503,
      WAIT,
    )
    return answered!
  }
}

/** Actions of each payer, selected by the payment's number; all combinations occur. */
const ends = ['success', 'success', 'success', 'success', 'failure', 'late'] as const
const returns = ['closes the tab', 'returns', 'returns', 'clicks three times'] as const

async function buy(post: Post, number: number, late: string[], paidBack: string[]): Promise<void> {
  const amount = 1 + number + (number % 100) / 100
  const once = { 'idempotency-key': `payment ${number}` }
  const clicks = number % 5 === 0 ? 2 : 1
  const orders = await Promise.all(Array.from({ length: clicks }, () => post('/admin/ledger/order', { amount }, once)))
  expect(new Set(orders.map(({ status, body }) => `${status} ${body.order_id}`)).size).toBe(1)
  const order = orders[0]!.body
  const end = ends[number % ends.length]!
  const answer = end === 'success' ? 'success' : 'failure'
  const { body: paid } = await env.control('POST', '/_payments', { order_id: order.order_id, answer })
  if (end === 'late') late.push(paid.payment_id)
  if (end !== 'success') return
  const returned = {
    payment_id: paid.payment_id,
    order_id: paid.order_id,
    signature: paid.signature,
    amount: order.amount,
  }
  const way = returns[number % returns.length]!
  const times = way === 'closes the tab' ? 0 : way === 'returns' ? 1 : 3
  const verified = await Promise.all(Array.from({ length: times }, () => post('/admin/ledger/paymentVerify', returned)))
  expect(verified.map(({ status }) => status)).toEqual(Array.from({ length: times }, () => 200))
  if (number % 9 === 0) paidBack.push(paid.payment_id)
}

const record = async () => (await env.control('GET', '/_truth?part=payments')).body.payments as PaymentInRecord[]

/**
 * Steps the clock by minutes, and waits until everything that was due has been polled.
 * @param again waits for retries of failed polls too; otherwise they happen in the next minute
 */
async function minutes(count: number, again = false): Promise<void> {
  await env.step(count * 60)
  await sql`select pg_notify('payment_due', '')`.execute(env.db)
  await until(
    'nothing is due',
    () =>
      sql<{ id: string }>`select id from payment
      where reconcile_at <= portal_now() or (${again} and attempts > 0)`.execute(env.db),
    ({ rows }) => rows.length === 0,
    WAIT,
  )
}

test(`credits each captured payment of ${PAYMENTS} exactly once within 15 minutes`, { timeout: WAIT * 2 }, async () => {
  const customers = await Promise.all(
    [0, 1, 2].map(async (number) => {
      const email = `admin@customer${number}.test`
      await env.signIn('admin', email, await env.organisation(`Customer ${number}`))
      return postingWith((await env.credentials(email)).token)
    }),
  )
  const began = performance.now()
  const late: string[] = []
  const paidBack: string[] = []
  let begun = 0
  let done = 0
  const person = async () => {
    while (begun < PAYMENTS) {
      const number = begun++
      await buy(customers[number % customers.length]!, number, late, paidBack)
      done += 1
    }
  }
  const killer = async () => {
    await until(
      'the worker has started',
      () => env.db.selectFrom('worker_pulse').select('worker').execute(),
      (rows) => rows.length > 0,
      WAIT,
    )
    for (let killed = 1; killed <= KILLS; killed += 1) {
      const share = (PAYMENTS * killed) / (KILLS + 1)
      await until(
        'enough are done',
        async () => done,
        (count) => count >= share,
        WAIT,
      )
      await Promise.all([kill('api'), kill('worker')])
    }
  }
  await Promise.all([...Array.from({ length: CONCURRENCY }, person), killer()])

  for (let minute = 1; minute <= 15; minute += 1) {
    if (minute === 8) await Promise.all(late.map((id) => env.control('POST', `/_payments/${id}/authorise`)))
    await minutes(1)
  }
  const { faults } = (await env.control('GET', '/_faults')).body
  expect(faults.filter(({ happened }: { happened: number }) => happened === 0)).toEqual([])
  const captured = (await record()).filter((payment) => payment.captured)
  const failing = Array.from({ length: PAYMENTS }, (_, number) => ends[number % ends.length]).filter(
    (end) => end === 'failure',
  )
  expect(captured).toHaveLength(PAYMENTS - failing.length)
  expect(await paymentDifferences(env.db, captured)).toEqual([])

  await Promise.all(
    paidBack.map((id, number) =>
      env.control('POST', `/_payments/${id}/refund`, number % 2 === 0 ? {} : { amount: 100 }),
    ),
  )
  await minutes(61, true)
  expect(await paymentDifferences(env.db, await record())).toEqual([])
  expect(await brokenInvariants(env.db, { quiet: false })).toEqual([])
  expect(env.bugs).toEqual([])
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  process.stdout.write(
    `payments: ${captured.length} captured of ${PAYMENTS}, ${KILLS} kills of API and worker, ${paidBack.length} paid back, ${seconds} s; each credited once, none missing\n`,
  )
})
