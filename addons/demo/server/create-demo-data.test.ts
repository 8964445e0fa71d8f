import { expect, inject, test } from 'vitest'
import { gstProblem } from '@trainyard/organisations/contract/gst.ts'
import { countQueries } from '@trainyard/platform/test/count-queries.ts'
import { startTestPortal } from '@trainyard/platform/test/portal.ts'
import { brokenInvariants } from '@trainyard/platform/server/invariants/check.ts'
import { readConfig } from '@trainyard/platform/server/config/config.ts'
import { runDifferences } from '@trainyard/machines/server/compare-machines.ts'
import { demoOnFirstStart } from './first-start.ts'
import { createDemoData } from './create-demo-data.ts'
import { DAY } from './past-days.ts'
import { cardsWith } from './templates.ts'
import { historyRecorder } from './emulator-history.ts'
import { DEMO_PASSWORD } from './organisations.ts'
import { sharedEmulator, sharedPortal } from '@trainyard/platform/test/shared.ts'

const portal = await sharedPortal()
const emulator = await sharedEmulator()
const recordPast = historyRecorder(emulator.url, portal.app.config.azure.subscriptionId)
const counted = countQueries(portal.app.db)
await createDemoData(counted.db, portal.app.seal, recordPast, emulator.url)
const queries = counted.count()

/** Queries in which the demo data must be created, because a new user waits for it at the first start. */
const QUERIES_MAX = 275

test('creates the data in few queries, prints its logins at each start, and does not create it again', async () => {
  expect(queries).toBeLessThan(QUERIES_MAX)
  const lines = await demoOnFirstStart({ ...portal.app.config, demo: true }, portal.app.secrets)
  expect(lines.join(' ')).toContain(DEMO_PASSWORD)
  const both = await Promise.all(
    [1, 2].map(() => createDemoData(portal.app.db, portal.app.seal, recordPast, emulator.url)),
  )
  expect(both).toEqual([false, false])
})

test('never gives real machines to accounts with a published password', async () => {
  const { lxd } = readConfig({ DEMO_PROVIDER: 'lxd', TRAINYARD_DATA: '/nonexistent' }).config
  const cards = [...cardsWith(lxd).values()]
  expect(cards.filter(({ provider }) => provider === 'lxd').map(({ name, cpu }) => [name, cpu])).toEqual([
    ['Debian 12 Starter', '1 vCPU'],
    ['Debian 12 Standard', '2 vCPU'],
    ['Debian 12 Desktop', '2 vCPU'],
  ])
  expect(cards.every(({ provider, os }) => (provider === 'lxd') === (os === 'Linux'))).toBe(true)
  const start = demoOnFirstStart({ ...portal.app.config, demo: true, lxd }, portal.app.secrets)
  await expect(start).rejects.toThrow('has published passwords, so it gets no real machines')
})

test.each([
  ['superadmin@demo.test', 'superadmin', null],
  ['admin@acme.test', 'admin', 'Acme Learning'],
  ['learner@acme.test', 'user', 'Acme Learning'],
  ['admin@globex.test', 'admin', 'Globex Academy'],
  ['learner@globex.test', 'user', 'Globex Academy'],
  ['sandbox@demo.test', 'sandboxuser', null],
  ['aws@demo.test', 'awssandboxuser', null],
])('%s logs in as %s', async (email, session, organization) => {
  const reply = await portal.request('POST', '/user/login', { body: { email, password: DEMO_PASSWORD } })
  expect(await reply.json()).toMatchObject({ email, session, organization })
})

test.each(['admin@acme.test', 'admin@globex.test', 'learner@acme.test'])('%s sees a month of usage', async (email) => {
  const uid = await portal.sessionOf(email)
  const read = async (path: string, query: object): Promise<never> =>
    (await (await portal.request('GET', path, { uid, query })).json()) as never
  const trainingName = 'Linux 101'
  const machines: { name: string; isAlive: boolean; adminPass: string | null }[] = await read('/azure/machines', {
    trainingName,
  })
  expect(machines.some(({ isAlive }) => isAlive)).toBe(true)
  expect(machines.every(({ isAlive, adminPass }) => isAlive === (adminPass !== null))).toBe(true)
  const dead = machines.find(({ isAlive }) => !isAlive)!
  const { logs }: { logs: unknown[] } = await read('/azure/logs', { vmName: dead.name })
  expect(logs.length).toBeGreaterThan(15)
  const bill: { Amount: number; Duration: number } = await read('/azure/billing', { trainingName })
  expect(bill.Amount).toBeGreaterThan(100)
  expect(bill.Duration).toBeGreaterThan(20)
})

test('fills the ledger: Acme owes more than Globex, and both are below their credit limits', async () => {
  const uid = await portal.sessionOf('superadmin@demo.test')
  const read = async (path: string, query = {}): Promise<never> =>
    (await (await portal.request('GET', path, { uid, query })).json()) as never
  const { ledger }: { ledger: { organization: string; balance: number }[] } = await read('/admin/ledger')
  expect(ledger).toMatchObject([
    { organization: 'Acme Learning' },
    { organization: 'Globex Academy' },
    { organization: 'Initech Learning', balance: 0 },
  ])
  for (const { organization, balance } of ledger.slice(0, 2)) {
    const { legal, transactions }: { legal: { gst: string; balance: number; limit: number }; transactions: unknown[] } =
      await read('/admin/ledger/accounts', { organization })
    expect(legal.balance).toBe(balance)
    expect(legal.balance).toBeGreaterThan(0)
    expect(legal.balance).toBeLessThan(legal.limit)
    expect(gstProblem(legal.gst)).toBeNull()
    expect(transactions.length).toBeGreaterThan(5)
  }
})

test('issues an invoice to Acme, whose admin can open its PDF', async () => {
  const uid = await portal.sessionOf('admin@acme.test')
  const reply = await portal.request('GET', '/admin/invoices', { uid })
  const { documents }: { documents: { number: string; totalPaise: number }[] } = (await reply.json()) as never
  expect(documents).toMatchObject([{ totalPaise: 39_905_00 }])
  const pdf = await portal.request('POST', '/admin/invoice/pdf', { uid, body: { number: documents[0]!.number } })
  expect(Buffer.from(await pdf.arrayBuffer()).toString('latin1', 0, 5)).toBe('%PDF-')
})

test('adds upcoming, completed and missed schedules to the workshop', async () => {
  const uid = await portal.sessionOf('admin@acme.test')
  const read = async (path: string): Promise<never> =>
    (await (await portal.request('GET', path, { uid, query: { trainingName: 'Containers Workshop' } })).json()) as never
  const { schedules }: { schedules: { status: string; result: unknown }[] } = await read('/azure/schedules')
  expect(schedules.filter(({ status }) => status === 'Pending')).toHaveLength(10)
  const [first, ...later] = schedules.filter(({ status }) => status === 'Completed')
  expect(first!.result).toBe('missed')
  expect(later).toHaveLength(4)
  for (const { result } of later) expect(result).toMatchObject({ acted: 0, skipped: 2, failed: 0 })
  expect(await read('/azure/ports')).toMatchObject({ ports: [80, 6443, 8080] })
  expect(await read('/admin/myuser')).toMatchObject({ loginStart: '09:00', loginStop: '18:30' })
})

test('bills exactly what the emulated provider billed in the past', async () => {
  const record = await emulator.truth()
  const past = new Date(Math.floor(Date.now() / DAY) * DAY)
  const billed = record.machines
    .flatMap((machine) => machine.billed)
    .filter(({ to }) => to !== null && new Date(to) < past)
  expect(billed.length).toBeGreaterThan(100)
  expect(await runDifferences(portal.app.db, record)).toEqual([])
})

test('violates no invariant', async () => {
  expect(await brokenInvariants(portal.owner, { quiet: false })).toEqual([])
})

test("keeps every run within its machine's lifetime", async () => {
  const runs = await portal.app.db
    .selectFrom('run')
    .innerJoin('machine', 'machine.id', 'run.machine_id')
    .select(['machine.created_at', 'started_at', 'stopped_at', 'terminated_at'])
    .execute()
  expect(runs.length).toBeGreaterThan(100)
  expect(runs.every((run) => run.created_at <= run.started_at && run.stopped_at! <= run.terminated_at!)).toBe(true)
})

test('creates no demo data with a real provider, closes earlier demo accounts and ends their sessions', async () => {
  const { config, secrets, db } = portal.app
  const login = (email: string) => portal.request('POST', '/user/login', { body: { email, password: DEMO_PASSWORD } })
  const uid = await portal.sessionOf('superadmin@demo.test')
  const own = await db
    .insertInto('portal_user')
    .values({ email: 'own@acme.test', role: 'superadmin', organisation_id: null, password_hash: null })
    .returning('id')
    .executeTakeFirstOrThrow()
  await portal.sessionOf('own@acme.test')
  expect((await login('admin@acme.test')).status).toBe(200)

  const lines = await demoOnFirstStart({ ...config, demo: false }, secrets)
  expect(lines.join(' ')).toContain('superadmin@demo.test')
  for (const email of ['superadmin@demo.test', 'admin@acme.test', 'learner@acme.test', 'aws@demo.test']) {
    expect((await login(email)).status).toBe(401)
  }
  expect((await portal.request('GET', '/user/me', { uid })).status).toBe(401)
  expect(await db.selectFrom('session').select('user_id').execute()).toEqual([{ user_id: own.id }])
  expect(await demoOnFirstStart({ ...config, demo: false }, secrets)).toEqual([])

  await db.deleteFrom('portal_user').where('email', '=', 'own@acme.test').execute()
  const advice = await demoOnFirstStart({ ...config, demo: false }, secrets)
  expect(advice.join(' ')).toContain('npm run superadmin -- EMAIL')

  const empty = await startTestPortal(inject('testCluster'))
  expect(await demoOnFirstStart({ ...empty.app.config, demo: false }, empty.app.secrets)).toEqual([])
  expect(await empty.app.db.selectFrom('portal_user').select('id').execute()).toEqual([])
  await empty.close()
})
