import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { brokenInvariants } from '@trainyard/platform/server/invariants/check.ts'
import { machinesOf, order, people } from '@trainyard/platform/test/orders.ts'
import { until } from '@trainyard/platform/test/until.ts'
import { splitEvenly } from './increase-quota.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'

test.each([
  [180, 3, [60, 60, 60]],
  [100, 3, [34, 33, 33]],
  [2, 3, [1, 1, 0]],
])('splits %i minutes over %i machines', (minutes, machines, shares) => {
  expect(splitEvenly(minutes, machines)).toEqual(shares)
})

const env = await sharedEnvironment()
const admin = await env.signIn('admin', 'admin@acme.test', await env.organisation('Acme Learning'))
const root = await env.signIn('superadmin', 'root@demo.test', null)
const settled = (status: string) =>
  until(
    `all are ${status}`,
    () => machinesOf(admin, 'Course'),
    (machines) => machines.length > 0 && machines.every((machine) => machine.status === status),
  )

await env.worker()
await admin('POST', '/azure/machines', order('Course', people(3), { allocatedHours: 60 }))
await settled('Running')

describe("a training's quota and logs", () => {
  const quota = async () => (await root('GET', '/admin/quota?trainingName=Course')).body
  const increase = (increaseBy: unknown, trainingName = 'Course') =>
    root('POST', '/admin/quota', { trainingName, increaseBy })

  /** Returns the length that the run of each machine can have. */
  const minutesOfRuns = async () => {
    const { rows } = await sql<{ minutes: number }>`
      select (extract(epoch from quota_ends_at - started_at) / 60)::float8 as minutes
      from machine m join run r on r.machine_id = m.id order by 1`.execute(env.db)
    return rows.map(({ minutes }) => minutes)
  }

  test('rises by exactly the requested minutes, split evenly, and running machines may use them', async () => {
    expect(await quota()).toMatchObject({ total: 180 })
    expect(await minutesOfRuns()).toEqual([60, 60, 60])
    expect(await increase(100)).toMatchObject({
      status: 200,
      body: { message: 'Quota increased by 1.67 hours successfully!', total: 280 },
    })
    const totals = (await machinesOf(admin, 'Course')).map((machine) => machine.quota.total)
    expect(totals.toSorted((a, b) => a! - b!)).toEqual([93, 93, 94])
    expect(await minutesOfRuns()).toEqual([93, 93, 94])
    await env.step(70 * 60)
    expect((await settled('Running')).length).toBe(3)
    expect((await quota()).consumed).toBeGreaterThanOrEqual(210)
    await env.step(24 * 60)
    await settled('Stopped')
    expect((await quota()).consumed).toBeGreaterThanOrEqual(280)
    const ends = await env.db.selectFrom('machine').select(['quota_ends_at', 'used_up_at']).execute()
    expect(ends).toEqual(ends.map(() => ({ quota_ends_at: null, used_up_at: expect.any(Date) })))
  })

  test('lets a machine that was stopped because of its quota start again after an increase', async () => {
    const machineRefs = (await machinesOf(admin, 'Course')).map(({ name, resourceGroup }) => ({ name, resourceGroup }))
    const start = () => admin('PATCH', '/azure/machines', [{ operation: 1 }, ...machineRefs])
    expect((await start()).status).toBe(409)
    expect((await increase(60)).body.total).toBe(340)
    expect((await start()).status).toBe(200)
    await settled('Running')
  })

  test('rejects minutes that cannot be split', async () => {
    for (const invalid of [0, -60, 1.5, '60']) expect((await increase(invalid)).status).toBe(400)
    expect(await increase(2 ** 31 - 1)).toMatchObject({
      status: 400,
      body: { message: 'increaseBy must be at most a thousand years.' },
    })
    expect(await increase(366 * 1_440 * 999)).toMatchObject({
      status: 400,
      body: { message: 'increaseBy must leave each machine with at most 5,96,523 hours. Choose a smaller increase.' },
    })
    expect((await increase(60, 'Nothing')).status).toBe(404)
    expect((await admin('POST', '/admin/quota', { trainingName: 'Course', increaseBy: 60 })).status).toBe(403)
    await admin('POST', '/azure/machines', order('Unlimited', ['free@acme.test']))
    expect(await increase(60, 'Unlimited')).toMatchObject({
      status: 409,
      body: { message: 'No live machine of this training has a quota to increase.' },
    })
  })

  test('does not change bills and quotas when the logs are cleared', async () => {
    const [machine] = await machinesOf(admin, 'Course')
    const machineRefs = (await machinesOf(admin, 'Course')).map(({ name, resourceGroup }) => ({ name, resourceGroup }))
    await admin('PATCH', '/azure/machines', [{ operation: 0 }, ...machineRefs])
    await settled('Stopped')
    const logs = async () => (await admin('GET', `/azure/logs?vmName=${machine!.name}`)).body.logs
    const bill = async () => (await admin('GET', '/azure/billing?trainingName=Course')).body
    const before = { bill: await bill(), quota: await quota() }
    expect(await logs()).toHaveLength(2)
    const all = async () => (await admin('GET', '/azure/trainingLogs?trainingName=Course')).body.logs
    const ofMachine = ({ machine: name }: { machine: string }) => name === machine!.name
    expect((await all()).filter(ofMachine)).toMatchObject(await logs())
    const cleared = await root('DELETE', '/admin/logs', { trainingName: 'Course' })
    expect(cleared).toMatchObject({ status: 200, body: { message: 'Logs deleted successfully.' } })
    expect([await logs(), await all()]).toEqual([[], []])
    expect({ bill: await bill(), quota: await quota() }).toEqual(before)
    expect(env.bugs).toEqual([])
    expect(await brokenInvariants(env.db, { quiet: false })).toEqual([])
  })
})
