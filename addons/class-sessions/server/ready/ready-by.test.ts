/** @module-tag full */
import { describe, expect, test } from 'vitest'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { machine as calls } from '@trainyard/machines/contract/machine.ts'
import { startManualClock } from '@trainyard/platform/test/manual-clock.ts'
import { machinesOf, order, people } from '@trainyard/platform/test/orders.ts'
import { percentile } from '@trainyard/platform/test/percentile.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'
import { leadOf } from './lead-time.ts'

type Operations = ReplyOf<typeof calls.operations>['operations']

const TRAINING = 'Linux 101'
const MACHINES = 7

const env = await sharedEnvironment({ latency: 1, clock: 'stepped', overrides: { azure: { readEveryMs: 100 } } })
const acme = await env.organisation('Acme Learning')
const admin = await env.signIn('admin', 'admin@acme.test', acme)
const clock = await startManualClock(env, '2027-01-04T09:00:00Z')
// Leases are long, because the clock runs far ahead of the worker and a short lease would expire during a step.
await env.worker({ leaseSeconds: 3_600 })

const list = () => machinesOf(admin, TRAINING)
const operationsOf = async (name: string): Promise<Operations> =>
  (await admin('GET', `/azure/operations?vmName=${name}`)).body.operations
const power = async (operation: 0 | 1) =>
  admin('PATCH', '/azure/machines', [
    { operation },
    ...(await list()).map(({ name, resourceGroup }) => ({ name, resourceGroup })),
  ])
const all = (status: string) => (machines: { status: string }[]) => machines.every((m) => m.status === status)

// The lead time is measured from starts.
await admin('POST', '/azure/machines', order(TRAINING, people(MACHINES)))
await clock.runUntil('they run', list, all('Running'))
await power(0)
await clock.runUntil('they are stopped', list, all('Stopped'))
await power(1)
await clock.runUntil('they answer', list, (machines) =>
  machines.every(({ status, progress }) => status === 'Running' && progress === null),
)

describe('machines to be ready by a time', () => {
  /** Returns a local minute that begins at least this many seconds from now. */
  const instantAt = (seconds: number) => {
    const at = new Date(Math.ceil((clock.now().getTime() + seconds * 1000) / 60_000) * 60_000)
    const local = new Date(at.getTime() + 330 * 60_000).toISOString()
    return { at, date: local.slice(0, 10), time: local.slice(11, 16) }
  }
  const plan = ({ date, time }: { date: string; time: string }, caller = admin) =>
    caller('POST', '/azure/readyBy', { trainingName: TRAINING, date, time })
  const readyBy = async () => (await admin('GET', '/azure/readyBy?trainingName=Linux%20101')).body.readyBy

  test('are rejected for past times, times too soon, learners and other organisations', async () => {
    expect(await plan(instantAt(-600))).toMatchObject({ status: 400, body: { message: /is in the past\.$/ } })
    // The time is less than a minute in the future. Rounded to minutes, it is too soon for any machine.
    expect((await plan(instantAt(1))).body.message).toMatch(/is too soon: these machines need about \d+ minutes/)
    const learner = await env.signIn('user', 'learner1@acme.test', acme)
    expect((await plan(instantAt(7_200), learner)).status).toBe(403)
    const foreign = await env.signIn('admin', 'ready@globex.test', await env.organisation('Ready Academy'))
    expect((await plan(instantAt(7_200), foreign)).status).toBe(404)
    expect(await readyBy()).toEqual([])
  })

  test('use the time until machines answered as lead time, not only until they ran', async () => {
    const operations = (await Promise.all((await list()).map(({ name }) => operationsOf(name)))).flat()
    const seconds = operations.flatMap(({ kind, askedAt, readyAt }) =>
      kind === 'start' && readyAt !== null ? [(Date.parse(readyAt) - Date.parse(askedAt)) / 1000] : [],
    )
    const { id: training } = await env.db
      .selectFrom('training')
      .select('id')
      .where('name', '=', TRAINING)
      .executeTakeFirstOrThrow()
    const leadTime = await leadOf(env.db, { training, order: null })
    expect(leadTime.machines).toBe(MACHINES)
    // The 90th percentile plus a fifth, a minute, and half a second per machine. Calls return no microseconds.
    expect(Math.abs(leadTime.seconds - (percentile(seconds, 0.9) * 1.2 + 60 + MACHINES / 2))).toBeLessThan(1.1)
  })

  test('are started early and counted as at the provider; two machines report why they are not ready', async () => {
    const running = (await list()).filter(({ isRunning }) => isRunning)
    if (running.length > 0)
      await admin('PATCH', '/azure/machines', [
        { operation: 0 },
        ...running.map(({ name, resourceGroup }) => ({ name, resourceGroup })),
      ])
    const [silentMachine, failing] = await clock.runUntil('they are stopped', list, all('Stopped'))
    await env.control('POST', `/_machines/${silentMachine!.name}/deaf`, { deaf: true })
    await env.emulator.fault({
      kind: 'finishFailed',
      operation: 'VirtualMachines_Start',
      name: failing!.name,
      code: 'AllocationFailed',
      message: 'No room.',
    })
    const ready = instantAt(7_200)
    expect((await plan(ready)).status).toBe(200)
    // A repeated request is stored only once.
    expect((await plan(ready)).status).toBe(200)
    expect(await readyBy()).toMatchObject([{ state: 'waiting', total: MACHINES, ready: 0, others: [] }])
    const [{ startsAt }] = await readyBy()
    await clock.jump(new Date(Date.parse(startsAt) - 30_000))
    await clock.run(10)
    expect((await list()).every(({ status }) => status === 'Stopped')).toBe(true)
    await clock.runUntil('they are started', readyBy, ([{ state }]) => state === 'started')
    expect(clock.now() < ready.at).toBe(true)
    await clock.runUntil('all but two are ready', readyBy, ([one]) => one.ready === MACHINES - 2)
    expect(clock.now() <= ready.at).toBe(true)
    const [{ others, total }] = await readyBy()
    expect(total).toBe(MACHINES)
    expect(others).toMatchObject([
      { name: silentMachine!.name, reason: /does not answer yet/ },
      { name: failing!.name, reason: /No room/ },
    ])
    const { machines } = await env.truth('machines')
    const names = new Set((await list()).map(({ name }) => name))
    expect(machines.filter(({ name, power }) => names.has(name) && power === 'running')).toHaveLength(MACHINES - 1)
    await env.emulator.clearFaults()
    await env.control('POST', `/_machines/${silentMachine!.name}/deaf`, { deaf: false })
    await clock.runUntil('all are ready', readyBy, ([one]) => one.ready === MACHINES)
    expect(env.bugs).toEqual([])
  })

  test('of one time are listed once, if an order and a plan of the training name it', async () => {
    const { date, time } = instantAt(7_200)
    await admin('POST', '/azure/machines', order('Twice', people(2), { readyBy: { date, time } }))
    await admin('POST', '/azure/readyBy', { trainingName: 'Twice', date, time })
    const { body } = await admin('GET', '/azure/readyBy?trainingName=Twice')
    expect(body.readyBy).toMatchObject([{ date, time, state: 'waiting', total: 2 }])
  })

  test('are not started after a cancellation', async () => {
    await admin('PATCH', '/azure/machines', [
      { operation: 0 },
      ...(await list()).map(({ name, resourceGroup }) => ({ name, resourceGroup })),
    ])
    await clock.runUntil('they are stopped', list, all('Stopped'))
    const ready = instantAt(7_200)
    await plan(ready)
    const query = `trainingName=Linux%20101&date=${ready.date}&time=${ready.time}`
    for (let attempt = 0; attempt < 2; attempt++)
      expect((await admin('DELETE', `/azure/readyBy?${query}`)).status).toBe(200)
    await clock.jump(ready.at)
    await clock.run(20)
    expect((await list()).every(({ status }) => status === 'Stopped')).toBe(true)
  })
})
