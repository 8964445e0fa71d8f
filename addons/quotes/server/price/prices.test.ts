import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { RATE, template, TEMPLATE } from '@trainyard/platform/test/orders.ts'
import {
  addCustomer,
  addSuperadmin,
  ADDRESS,
  addRuns,
  SETTINGS,
  setClock,
  type TestCustomer,
} from '@trainyard/invoices/test/invoicing.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'
import { brokenInvariants } from '@trainyard/platform/server/invariants/check.ts'
import { changeRuns, type RunChange } from '@trainyard/usage/server/runs.ts'
import { applyPriceChanges } from './apply.ts'

const env = await sharedEnvironment()
const { portal } = env
const { db } = portal.app
let root: string

// oxlint-disable-next-line typescript/no-explicit-any -- a reply can have any shape; the expectations check it
type Body = any
async function send(method: string, path: string, body?: unknown, uid = root): Promise<{ status: number; body: Body }> {
  const reply = await portal.request(method, path, { uid, body })
  return { status: reply.status, body: await reply.json() }
}
const at = (path: string, query: Record<string, string>) => `${path}?${new URLSearchParams(query).toString()}`
const setPrice = (organization: string, rate: number | null, from: string, more: object = {}) =>
  send('POST', '/admin/prices', { organization, kind: 'template', item: TEMPLATE, rate, from, ...more })
const pricesOf = async (organization: string): Promise<Body> =>
  (await send('GET', at('/admin/prices', { organization }))).body
const applyDue = () => applyPriceChanges(db, new AbortController().signal)

async function machineOf({ id }: TestCustomer) {
  return db.selectFrom('machine').selectAll().where('organisation_id', '=', id).executeTakeFirstOrThrow()
}
async function change(customer: TestCustomer, what: { opens: Date } | { closes: Date }): Promise<void> {
  const machine = await machineOf(customer)
  const { rows } = await sql<{ now: Date }>`select portal_now() as now`.execute(db)
  const made = { machine, cause: 'imported', ...what } as RunChange
  await db.transaction().execute((tx) => changeRuns(tx, [made], rows[0]!.now))
  const observed = 'opens' in what ? 'running' : 'stopped'
  await sql`update machine set observed = ${observed}, desired = ${observed} where id = ${machine.id}`.execute(
    portal.owner,
  )
}
const opens = (customer: TestCustomer, instant: string) => change(customer, { opens: new Date(instant) })
const closes = (customer: TestCustomer, instant: string) => change(customer, { closes: new Date(instant) })
async function runsOf(customer: TestCustomer) {
  const rows = await db
    .selectFrom('run')
    .select(['started_at', 'stopped_at', 'paise_per_hour'])
    .where('machine_id', '=', (await machineOf(customer)).id)
    .orderBy('started_at')
    .execute()
  return rows.map((run) => [run.started_at.toISOString(), run.stopped_at?.toISOString() ?? null, run.paise_per_hour])
}
const billOf = async ({ name }: TestCustomer): Promise<number> => {
  const { body } = await send('GET', at('/azure/billing', { trainingName: `${name} 101`, organization: name }))
  return body.Amount
}
const draftOf = async ({ name }: TestCustomer, month: string): Promise<Body> =>
  (await send('GET', at('/admin/invoices/draft', { organization: name, month }))).body.document

beforeAll(async () => {
  await setClock(portal, '2026-11-05T06:00:00Z')
  root = await addSuperadmin(env)
  await send('PATCH', '/admin/supplier', SETTINGS)
})

test('bills a machine to the paisa across a price change, and leaves past bills unchanged', async () => {
  const customer = await addCustomer(portal, 'Across', 1, ADDRESS)
  const admin = await portal.sessionOf(customer.admin)
  await addRuns(portal, customer, '2026-10-05T04:00:00Z', '2026-10-05T14:00:00Z')
  const october = await draftOf(customer, '2026-10')
  expect(october.totals.taxablePaise).toBe(12_500)
  await setClock(portal, '2026-11-10T12:30:00Z')
  await opens(customer, '2026-11-10T12:30:00Z')
  expect(await setPrice(customer.name, 10.01, '2026-11-11')).toEqual({
    status: 200,
    body: { message: `From 2026-11-11, Across pays ₹10.01 per hour for ${TEMPLATE}.` },
  })
  const templates = async () =>
    (await send('GET', at('/azure/templates', { organization: customer.name }), undefined, admin)).body.templates
  expect(await templates()).toMatchObject([
    { name: TEMPLATE, rate: 12.5, nextRate: { rate: 10.01, from: '2026-11-11' } },
  ])

  // The supplier's day begins at 18:30 UTC.
  await setClock(portal, '2026-11-10T20:30:07Z')
  await applyDue()
  expect(await runsOf(customer)).toEqual([
    ['2026-10-05T04:00:00.000Z', '2026-10-05T14:00:00.000Z', RATE],
    ['2026-11-10T12:30:00.000Z', '2026-11-10T18:30:00.000Z', RATE],
    ['2026-11-10T18:30:00.000Z', null, 1_001],
  ])
  // 6 h at 12.50 and 7,207 s at 10.01, rounded once, after October's 125.00
  expect(await billOf(customer)).toBe(220.04)
  const { logs } = (await send('GET', at('/azure/logs', { vmName: (await machineOf(customer)).name }))).body
  expect(logs).toHaveLength(2)
  expect(await templates()).toMatchObject([{ rate: 10.01 }])
  expect((await templates())[0].nextRate).toBe(undefined)

  await closes(customer, '2026-11-10T20:30:07Z')
  expect(await setPrice(customer.name, 99, '2026-12-01')).toMatchObject({ status: 200 })
  await setClock(portal, '2026-12-05T06:00:00Z')
  await applyDue()
  expect((await draftOf(customer, '2026-11')).totals.taxablePaise).toBe(9_504)
  expect((await draftOf(customer, '2026-10')).totals).toEqual(october.totals)
  expect((await machineOf(customer)).paise_per_hour).toBe(9_900)
  expect(await setPrice(customer.name, null, '2026-12-06')).toMatchObject({ status: 200 })
  await setClock(portal, '2026-12-06T06:00:00Z')
  await applyDue()
  expect((await machineOf(customer)).paise_per_hour).toBe(RATE)
  expect((await pricesOf(customer.name)).prices.map((row: Body) => [row.from, row.paisePerHour, row.state])).toEqual([
    ['2026-12-06', null, 'in force'],
    ['2026-12-01', 9_900, 'past'],
    ['2026-11-11', 1_001, 'past'],
  ])
  expect(await brokenInvariants(db, { quiet: false })).toEqual([])
})

test('prices a run that is reported late by the day of its usage, before and after the task ran', async () => {
  await setClock(portal, '2026-11-10T12:00:00Z')
  const [early, late] = [await addCustomer(portal, 'Early', 1), await addCustomer(portal, 'Late', 1)]
  for (const customer of [early, late]) {
    await opens(customer, '2026-11-10T12:00:00Z')
    await setPrice(customer.name, 20, '2026-11-11')
  }
  await setClock(portal, '2026-11-11T06:00:00Z')
  await closes(late, '2026-11-10T19:30:00Z')
  await applyDue()
  // The machine stopped before the change, which the portal learns after it.
  await closes(early, '2026-11-10T18:00:00Z')
  expect(await runsOf(early)).toEqual([['2026-11-10T12:00:00.000Z', '2026-11-10T18:00:00.000Z', RATE]])
  expect(await runsOf(late)).toEqual([
    ['2026-11-10T12:00:00.000Z', '2026-11-10T18:30:00.000Z', RATE],
    ['2026-11-10T18:30:00.000Z', '2026-11-10T19:30:00.000Z', 2_000],
  ])
  await opens(early, '2026-11-10T18:15:00Z')
  expect(await runsOf(early)).toEqual([
    ['2026-11-10T12:00:00.000Z', '2026-11-10T18:00:00.000Z', RATE],
    ['2026-11-10T18:15:00.000Z', '2026-11-10T18:30:00.000Z', RATE],
    ['2026-11-10T18:30:00.000Z', null, 2_000],
  ])
  await closes(early, '2026-11-11T06:00:00Z')
  expect(await brokenInvariants(db, { quiet: false })).toEqual([])
})

test('prefers the price of the template to that of the size, and adds licence and browser access', async () => {
  const windows = {
    ...template(),
    name: 'Windows lab',
    os: 'Windows',
    licence: 'Windows_Server',
    size: { name: 'Standard_D4s_v3' },
  } as const
  await portal.owner.insertInto('template').values(windows).execute()
  const customer = await addCustomer(portal, 'Sized', 0)
  await send('POST', '/admin/assignTemplate', { organization: 'Sized', template: windows.name })
  const templates = async (): Promise<[string, number][]> =>
    (await send('GET', at('/azure/templates', { organization: 'Sized' }))).body.templates.map((each: Body) => [
      each.name,
      each.rate,
    ])
  await setPrice('Sized', 8, '2026-11-11', { kind: 'size', item: 'standard_d4s_v3' })
  await setPrice('Sized', 3.5, '2026-11-11', { kind: 'licence', item: 'Windows_Server' })
  expect(await templates()).toContainEqual([windows.name, 11.5])
  const order = {
    organization: 'Sized',
    templateName: windows.name,
    email: ['a@sized.test'],
    trainingName: 'Sized 101',
    allocatedHours: null,
    createVmCount: 1,
    guacamole: true,
  }
  expect((await send('POST', '/azure/machines', order)).status).toBe(200)
  expect(await machineOf(customer)).toMatchObject({ paise_per_hour: 1_650, order_paise_per_hour: RATE + 500 })
  expect(await setPrice('Sized', 20, '2026-11-12', { item: windows.name })).toMatchObject({ status: 200 })
  await setClock(portal, '2026-11-12T06:00:00Z')
  await applyDue()
  expect(await templates()).toContainEqual([windows.name, 20])
  expect(await machineOf(customer)).toMatchObject({ paise_per_hour: 2_500 })
})

test('stores no second price of an item and day, and changes no price that has been in force', async () => {
  const customer = await addCustomer(portal, 'Strict', 1)
  expect(await setPrice('Strict', 10, '2026-11-11')).toMatchObject({ status: 409 })
  expect(await setPrice('Strict', null, '2026-12-01')).toMatchObject({ status: 409 })
  expect(await setPrice('Strict', 10, '2026-11-12')).toMatchObject({ status: 200 })
  expect((await machineOf(customer)).paise_per_hour).toBe(1_000)
  expect(await setPrice('Strict', 11, '2026-11-12')).toMatchObject({ status: 409 })
  await opens(customer, '2026-11-12T06:00:00Z')
  expect(await setPrice('Strict', 9, '2026-11-12', { kind: 'size', item: 'Standard_DS1_v2' })).toMatchObject({
    status: 409,
    body: { message: 'Strict has used machines today, at the current prices. Choose tomorrow or a later day.' },
  })
  await Promise.all([setPrice('Strict', 12, '2026-12-01'), setPrice('Strict', 13, '2026-12-01')])
  const { prices } = await pricesOf('Strict')
  expect(prices.filter(({ from }: Body) => from === '2026-12-01')).toHaveLength(1)
  const row = { organization: 'Strict', kind: 'template', item: TEMPLATE }
  expect(await send('POST', '/admin/prices/remove', { ...row, from: '2026-11-12' })).toMatchObject({ status: 409 })
  expect(await send('POST', '/admin/prices/remove', { ...row, from: '2026-12-01' })).toMatchObject({ status: 200 })
  expect(await send('POST', '/admin/prices/remove', { ...row, from: '2026-12-01' })).toMatchObject({ status: 409 })
  expect(await setPrice('Strict', 1, '2026-12-01', { item: 'No such template' })).toMatchObject({ status: 404 })

  const values = { organisation_id: customer.id, kind: 'template', decided_by: 'x', paise_per_hour: null } as const
  const insert = (item: string, valid_from: string) =>
    portal.owner
      .insertInto('customer_price')
      .values({ ...values, item, valid_from })
      .execute()
  await expect(insert(TEMPLATE.toUpperCase(), '2026-11-12')).rejects.toMatchObject({ code: '23505' })
  await expect(insert('Other', '2026-11-11')).rejects.toMatchObject({ code: '23514' })
  for (const statement of [sql`update customer_price set paise_per_hour = 1`, sql`delete from customer_price`]) {
    await expect(sql`${statement} where organisation_id = ${customer.id}`.execute(portal.owner)).rejects.toMatchObject({
      code: '23514',
    })
  }
})

test('shows an admin only the own price list, and records each change with the previous value', async () => {
  await setPrice('Strict', 8, '2026-12-24')
  const admin = await portal.sessionOf('admin@strict.test')
  const { status, body } = await send('GET', '/admin/prices', undefined, admin)
  expect([status, body.items, body.prices.length]).toEqual([200, null, 2])
  expect((await send('GET', at('/admin/prices', { organization: 'Sized' }), undefined, admin)).status).toBe(404)
  expect((await setPriceAs(admin)).status).toBe(403)
  const entry = await db
    .selectFrom('audit')
    .select(['call', 'before', 'after'])
    .where('call', '=', 'price.set')
    .where('after', 'is not', null)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  expect(entry).toMatchObject({
    before: { item: TEMPLATE, from: '2026-11-12', paisePerHour: 1_000 },
    after: { item: TEMPLATE, from: '2026-12-24', paisePerHour: 800 },
  })
})
const setPriceAs = (uid: string) =>
  send(
    'POST',
    '/admin/prices',
    { organization: 'Strict', kind: 'template', item: TEMPLATE, rate: 1, from: '2026-12-31' },
    uid,
  )

test('bills random runs under random prices like a second-by-second sum', async () => {
  await setClock(portal, '2027-01-01T06:00:00Z')
  const customer = await addCustomer(portal, 'Random', 1)
  let seed = 7
  const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below
  const begins = Date.parse('2027-01-01T18:30:00Z')
  const priceOf = new Map<number, number>()
  for (let day = 0; day < 20; day++) {
    if (random(2) === 0) continue
    const rate = random(5_000) / 100
    const from = new Date(begins + day * 86_400_000 + 6 * 3_600_000).toISOString().slice(0, 10)
    expect((await setPrice('Random', rate, from)).status).toBe(200)
    priceOf.set(day, Math.round(rate * 100))
  }
  const priceAt = (second: number): number => {
    for (let day = Math.floor(second / 86_400); day >= 0; day--) if (priceOf.has(day)) return priceOf.get(day)!
    return RATE
  }
  let [now, expected] = [0, 0]
  let since: number | null = null
  while (now < 19 * 86_400) {
    now += 1 + random(60 * 3_600)
    const reported = since === null ? now : since + random(now - since)
    await setClock(portal, new Date(begins + now * 1000).toISOString())
    if (random(2) === 0) await applyDue()
    if (since === null) since = now
    else {
      for (let second = since; second < reported; second++) expected += priceAt(second)
      await closes(customer, new Date(begins + reported * 1000).toISOString())
      since = null
      continue
    }
    await opens(customer, new Date(begins + now * 1000).toISOString())
  }
  if (since !== null) await closes(customer, new Date(begins + since * 1000).toISOString())
  await applyDue()
  expect(await billOf(customer)).toBe(Math.floor((expected + 1_800) / 3_600) / 100)
  expect(await brokenInvariants(db, { quiet: false })).toEqual([])
})
