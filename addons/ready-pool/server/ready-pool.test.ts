/** @module-tag full */
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { machineDifferences } from '@trainyard/machines/server/compare-machines.ts'
import { brokenInvariants } from '@trainyard/platform/server/invariants/check.ts'
import { machinesOf, order, RATE, TEMPLATE } from '@trainyard/platform/test/orders.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'
import { until } from '@trainyard/platform/test/until.ts'
import { tendPools } from './tend.ts'

const env = await sharedEnvironment()
await env.stepToHour(6)
const acme = await env.organisation('Acme')
const admin = await env.signIn('admin', 'admin@acme.test', acme)
const root = await env.signIn('superadmin', 'root@portal.test', null)
await env.worker()
let training = ''
let count = 0

beforeEach(async () => {
  training = `Ready ${++count}`
  await sql`insert into training (organisation_id, name) values (${acme}, ${training})`.execute(env.db)
})

const query = () => `?trainingName=${encodeURIComponent(training)}`
const tend = () => tendPools(env.parts.db, env.parts.seal, new AbortController().signal)
const setPool = (machines: number, more: object = {}) =>
  admin('POST', '/azure/readyPool', {
    trainingName: training,
    templateName: TEMPLATE,
    machines,
    power: 'running',
    guacamole: true,
    ...more,
  })
const removePool = () => admin('DELETE', `/azure/readyPool${query()}`)
const poolOf = async () => (await admin('GET', `/azure/readyPool${query()}`)).body.pool
const poolIs = (description: string, expected: object) =>
  until(
    description,
    async () => {
      await tend()
      return poolOf()
    },
    (pool) => Object.entries(expected).every(([key, value]) => pool[key] === value),
  )
const atProvider = async () => (await env.truth()).machines.filter(({ exists }) => exists)
/** Waits until the given number of machines is left. */
const left = async (expected: number) => {
  const standing = env.db.selectFrom('machine').select('id').where('terminated_at', 'is', null)
  await until(
    'the machines are deleted',
    () => standing.execute(),
    (rows) => rows.length === expected,
  )
  expect(await atProvider()).toHaveLength(expected)
}
const check = async () => {
  expect(await brokenInvariants(env.db, { quiet: true })).toEqual([])
  expect(await machineDifferences(env.db, await env.truth(), 60)).toEqual([])
  expect(env.bugs).toEqual([])
}

test('hands over a running machine at once, fills the pool again, and bills each second of it once', async () => {
  await setPool(1)
  await poolIs('a machine is ready', { ready: 1 })
  expect(await poolOf()).toMatchObject({ templateName: TEMPLATE, machines: 1, paisePerHour: RATE + 500, paused: null })
  await env.step(2 * 3600)
  const waited = (await admin('GET', `/azure/billing${query()}`)).body
  expect(waited.Amount).toBeGreaterThanOrEqual((2 * (RATE + 500)) / 100)
  await admin('POST', '/azure/machines', order(training, ['asha@acme.test'], { allocatedHours: 120 }))
  const [machine] = await machinesOf(admin, training)
  // The reply to the order follows no call to the provider, and the machine runs already.
  expect(machine).toMatchObject({ email: 'asha@acme.test', status: 'Running', isRunning: true })
  expect(machine!.adminPass).toMatch(/^\S{18}$/)
  const remaining = machine!.quota.total! - machine!.quota.consumed
  // Less the seconds since the order.
  expect([remaining > 119.8, remaining <= 121]).toEqual([true, true])
  // The form for another learner proposes the hours of the order, without those that the machine has waited.
  expect((await admin('GET', `/azure/lastOrder${query()}`)).body.lastOrder).toMatchObject({ allocatedHours: 120 })
  await env.step(15)
  await poolIs('another machine is ready', { ready: 1 })
  await removePool()
  await env.step(3600)
  await admin('PATCH', '/azure/machines', [
    { operation: 0 },
    { name: machine!.name, resourceGroup: machine!.resourceGroup },
  ])
  await until(
    'it is stopped',
    () => machinesOf(admin, training),
    ([only]) => only!.status === 'Stopped',
  )
  await left(1)
  const billed = (await env.truth()).machines.map(({ billed: periods }) => {
    const seconds = periods.reduce((sum, { from, to }) => sum + (Date.parse(to!) - Date.parse(from)) / 1000, 0)
    return Math.floor((seconds * (RATE + 500) * 2 + 3600) / 7200)
  })
  expect(billed).toHaveLength(2)
  const { Amount } = (await admin('GET', `/azure/billing${query()}`)).body
  expect(Amount * 100).toBeCloseTo(
    billed.reduce((sum, paise) => sum + paise, 0),
    6,
  )
  const { logs } = (await admin('GET', `/azure/trainingLogs${query()}`)).body as { logs: { email: string }[] }
  expect(logs.map(({ email }) => email).toSorted()).toEqual(['asha@acme.test', 'ready machine'])
  await check()
  await root('DELETE', `/azure/killTraining${query()}`)
  await left(0)
})

test('replaces a machine by a running one at once, deletes the old one, and bills each second of both once', async () => {
  await admin('POST', '/azure/machines', order(training, ['asha@acme.test'], { allocatedHours: 120 }))
  const [old] = await until(
    'it runs',
    () => machinesOf(admin, training),
    ([only]) => only!.status === 'Running',
  )
  await setPool(1)
  await poolIs('a machine is ready', { ready: 1 })
  await env.step(1800)
  const refOf = ({ name, resourceGroup }: { name: string; resourceGroup: string }) => ({ name, resourceGroup })
  expect((await admin('PATCH', '/azure/machinesReplace', refOf(old!))).status).toBe(200)
  const next = (await machinesOf(admin, training)).find(({ name }) => name !== old!.name)!
  expect(next).toMatchObject({ email: 'asha@acme.test', status: 'Running', isRunning: true })
  const remaining = next.quota.total! - next.quota.consumed
  expect([remaining > 87, remaining <= 91]).toEqual([true, true])
  await removePool()
  await left(1)
  await env.step(1800)
  await admin('PATCH', '/azure/machines', [{ operation: 0 }, refOf(next)])
  await until(
    'it is stopped',
    () => machinesOf(admin, training),
    (all) => all.find(({ name }) => name === next.name)!.status === 'Stopped',
  )
  const billed = (await env.truth()).machines
    .filter(({ name }) => [old!.name, next.name].includes(name))
    .map(({ billed: periods }) => {
      const seconds = periods.reduce((sum, { from, to }) => sum + (Date.parse(to!) - Date.parse(from)) / 1000, 0)
      return Math.floor((seconds * (RATE + 500) * 2 + 3600) / 7200)
    })
  expect(billed).toHaveLength(2)
  const { Amount } = (await admin('GET', `/azure/billing${query()}`)).body
  expect(Amount * 100).toBeCloseTo(
    billed.reduce((sum, paise) => sum + paise, 0),
    6,
  )
  await check()
  await root('DELETE', `/azure/killTraining${query()}`)
  await left(0)
})

test('keeps stopped machines, which cost nothing while they wait, and starts one when it is ordered', async () => {
  await setPool(1, { power: 'stopped' })
  await poolIs('a machine is ready', { ready: 1 })
  const { Amount } = (await admin('GET', `/azure/billing${query()}`)).body
  await env.step(5 * 3600)
  expect((await admin('GET', `/azure/billing${query()}`)).body.Amount).toBe(Amount)
  await admin('POST', '/azure/machines', order(training, ['asha@acme.test']))
  const [machine] = await until(
    'it runs',
    () => machinesOf(admin, training),
    ([only]) => only!.status === 'Running',
  )
  const { operations } = (await admin('GET', `/azure/operations?vmName=${machine!.name}`)).body
  expect(operations.map(({ kind }: { kind: string }) => kind)).toContain('start')
  await root('DELETE', `/azure/killTraining${query()}`)
  await left(0)
  await check()
})

test('deletes the spares of a pool that is made smaller, is removed, or whose training is removed', async () => {
  await setPool(3)
  await poolIs('all are ready', { ready: 3 })
  await setPool(1)
  await left(1)
  expect((await removePool()).status).toBe(200)
  await left(0)
  expect(await poolOf()).toBeNull()
  expect((await removePool()).status).toBe(200)
  await setPool(1)
  await poolIs('one is ready', { ready: 1 })
  await root('DELETE', `/azure/killTraining${query()}`)
  await left(0)
  expect(await poolOf()).toBeNull()
  await check()
})

test('stops the spares and adds none while the training is closed, by its hours or by a schedule', async () => {
  await setPool(1)
  await poolIs('one is ready', { ready: 1 })
  const window = (start: string | null, stop: string | null) =>
    sql`update training set access_start = ${start}::time, access_stop = ${stop}::time where name = ${training}`.execute(
      env.db,
    )
  // The clock is between 06:00 and 24:00 UTC, later in India.
  const local = new Date(env.now().getTime() + 5.5 * 3600_000)
  const hour = (ahead: number) => `${String((local.getUTCHours() + ahead + 24) % 24).padStart(2, '0')}:00`
  await window(hour(2), hour(4))
  await poolIs('it is stopped', {
    paused: 'The training is closed. Machines are kept ready again when it opens.',
    ready: 1,
  })
  await until('no machine runs', atProvider, (machines) =>
    machines.every(({ billed }) => billed.every(({ to }) => to !== null)),
  )
  await setPool(2)
  expect(await poolOf()).toMatchObject({ ready: 1, preparing: 0 })
  await window(null, null)
  await poolIs('both are ready', { ready: 2, paused: null })

  const { id } = await env.db.selectFrom('training').select('id').where('name', '=', training).executeTakeFirstOrThrow()
  const fired = (action: 'Start' | 'Stop', secondsAgo: number) =>
    sql`insert into schedule (training_id, organisation_id, action, date, time, time_zone, fires_at, created_by, completed_at)
      select ${id}, ${acme}, ${action}, (moment at time zone 'UTC')::date, (moment at time zone 'UTC')::time, 'UTC', moment,
        'admin@acme.test', portal_now()
      from (select portal_now() - make_interval(secs => ${secondsAgo}) as moment) as at`.execute(env.db)
  await fired('Start', 7200)
  await tend()
  expect((await poolOf()).paused).toBeNull()
  await fired('Stop', 60)
  await poolIs('both are stopped', {
    paused: 'A schedule has stopped the training. Machines are kept ready again from its next start.',
    ready: 2,
  })
  await fired('Start', 2)
  await poolIs('both are ready', { ready: 2, paused: null })
  await fired('Stop', 1)
  await poolIs('both are stopped again', { power: 'running', ready: 2, preparing: 0 })
  expect((await poolOf()).paused).toMatch(/^A schedule/)
  // A user works in the training again.
  await admin('POST', '/azure/machines', order(training, ['late@acme.test']))
  await poolIs('both are ready', { ready: 2, paused: null })
  await root('DELETE', `/azure/killTraining${query()}`)
  await left(0)
})

test('adds no machine beyond a budget, stops the spares at a spending cap, and says why', async () => {
  await setPool(1)
  await poolIs('one is ready', { ready: 1 })
  await env.step(3600)
  await admin('POST', '/budgets', { trainingName: training, amount: 1, spendingCap: false })
  await setPool(2)
  expect(await poolOf()).toMatchObject({
    ready: 1,
    preparing: 0,
    paused: 'The budget of the training is used up. No machines are added until it is raised.',
  })
  await admin('POST', '/budgets', { trainingName: training, amount: 1, spendingCap: true })
  await poolIs('the cap applies', { preparing: 0 })
  expect((await poolOf()).paused).toContain('budget')
  await until('no machine runs', atProvider, (machines) =>
    machines.every(({ billed }) => billed.every(({ to }) => to !== null)),
  )
  await admin('POST', '/budgets', { trainingName: training, amount: 1_000, spendingCap: true })
  await poolIs('two are ready', { ready: 2, paused: null })
  await root('DELETE', `/azure/killTraining${query()}`)
  await left(0)
  await check()
})

test('replaces a spare that was deleted at the provider', async () => {
  await setPool(1)
  await poolIs('one is ready', { ready: 1 })
  const [machine] = await atProvider()
  await env.control('POST', `/_machines/${machine!.name}/vanish`)
  await until('the portal notices', poolOf, ({ ready }) => ready === 0)
  await poolIs('another one is ready', { ready: 1 })
  expect((await atProvider()).map(({ name }) => name)).not.toContain(machine!.name)
  await check()
})
