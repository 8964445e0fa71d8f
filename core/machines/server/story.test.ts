import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { health as healthCalls } from '@trainyard/platform/contract/health.ts'
import { brokenInvariants } from '@trainyard/platform/server/invariants/check.ts'
import { machineDifferences } from './compare-machines.ts'
import { machinesOf, order, people, RATE } from '@trainyard/platform/test/orders.ts'
import type { Caller } from '@trainyard/platform/test/caller.ts'
import { FAST_PACE } from '@trainyard/platform/test/environment.ts'
import { until } from '@trainyard/platform/test/until.ts'
import { claimableTables } from '@trainyard/platform/server/run/reconcile/claim.ts'
import { tasksOf } from '@trainyard/platform/server/core/module.ts'
import { SERVER_MODULES } from '@trainyard/modules/server.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'

const TRAINING = 'Linux 101'

const env = await sharedEnvironment()
const acme = await env.organisation('Acme Learning')
const admin = await env.signIn('admin', 'admin@acme.test', acme)
const learner = await env.signIn('user', 'learner0@acme.test', acme)
await env.worker()

describe('machines from order to bill', () => {
  const settle = async (
    description: string,
    condition: (machines: Awaited<ReturnType<typeof machinesOf>>) => boolean,
  ) => {
    const machines = await until(description, () => machinesOf(admin, TRAINING), condition)
    expect(env.bugs).toEqual([])
    expect(await brokenInvariants(env.db, { quiet: true })).toEqual([])
    expect(await machineDifferences(env.db, await env.truth())).toEqual([])
    return machines
  }
  const all = (status: string) => (machines: { status: string }[]) => machines.every((m) => m.status === status)
  const power = (caller: Caller, operation: 0 | 1, machines: { name: string; resourceGroup: string }[]) =>
    caller('PATCH', '/azure/machines', [
      { operation },
      ...machines.map(({ name, resourceGroup }) => ({ name, resourceGroup })),
    ])

  test('three machines are ordered, run, stopped and started, and billed exactly to the paisa', async () => {
    const ordered = await admin('POST', '/azure/machines', order(TRAINING, people(3)))
    expect(ordered.status).toBe(200)
    expect(ordered.body.message).toBe(
      `VM Creation in Process, Please wait for ${ordered.body.waitMinutes} mins before trying again.`,
    )
    const machines = await settle('all three run', (list) => list.length === 3 && all('Running')(list))
    await until(
      'addresses are known',
      () => machinesOf(admin, TRAINING),
      (list) => list.every((m) => m.publicIp !== null),
    )
    expect(machines[0]!.adminPass).toMatch(/^\S{18}$/)
    expect(await machinesOf(learner, TRAINING)).toHaveLength(1)

    await env.step(3600)
    const [ownMachine] = await machinesOf(learner, TRAINING)
    expect(await power(learner, 0, [ownMachine!])).toMatchObject({
      status: 200,
      body: { message: 'VM Stop in Process, Please wait for 10 secs before trying again' },
    })
    await settle('it is stopped', (list) => list.filter((m) => m.status === 'Stopped').length === 1)
    expect(await power(learner, 0, [ownMachine!])).toMatchObject({ status: 409 })
    await env.step(1800)
    expect((await power(learner, 1, [ownMachine!])).status).toBe(200)
    await settle('it runs again', all('Running'))
    await env.step(900)
    expect((await power(admin, 0, machines)).status).toBe(200)
    await settle('all are stopped', all('Stopped'))

    const billed = (await env.truth()).machines.flatMap((machine) => {
      const seconds = machine.billed.reduce((sum, { from, to }) => sum + (Date.parse(to!) - Date.parse(from)) / 1000, 0)
      return [{ seconds, paise: Math.floor((seconds * (RATE + 500) * 2 + 3600) / 7200) }]
    })
    const bill = (await admin('GET', `/azure/billing?trainingName=${encodeURIComponent(TRAINING)}`)).body
    expect(bill.Amount * 100).toBeCloseTo(
      billed.reduce((sum, { paise }) => sum + paise, 0),
      6,
    )
    expect(bill.Duration).toBeCloseTo(billed.reduce((sum, { seconds }) => sum + seconds, 0) / 3600, 2)
    expect(bill.Status).toEqual({ online: 0, offline: 3 })
    const { logs } = (await learner('GET', `/azure/logs?vmName=${ownMachine!.name}`)).body
    expect(logs).toHaveLength(2)
    expect(logs[1].duration).toBeGreaterThanOrEqual(60)
    const logsSeenBy = async (as: typeof learner) =>
      (await as('GET', `/azure/trainingLogs?trainingName=${encodeURIComponent(TRAINING)}`)).body.logs
    expect(await logsSeenBy(learner)).toMatchObject(logs)
    expect((await logsSeenBy(admin)).length).toBeGreaterThan(logs.length)
  })

  test('changes outside the portal set the desired state: a stop from inside, a start, and a deletion', async () => {
    const [first, second, third] = await machinesOf(admin, TRAINING)
    await env.step(600)
    expect((await env.control('POST', `/_machines/${first!.name}/start`)).status).toBe(200)
    await until(
      'the start is adopted',
      () => machinesOf(admin, TRAINING),
      (list) => list[0]!.status === 'Running',
    )
    await env.step(600)
    expect((await env.control('POST', `/_machines/${first!.name}/shutdown`)).status).toBe(200)
    await settleWithin('the shutdown is deallocated', (list) => list[0]!.status === 'Stopped')
    expect((await power(admin, 1, [second!])).status).toBe(200)
    await until(
      'it runs',
      () => machinesOf(admin, TRAINING),
      (list) => list[1]!.status === 'Running',
    )
    expect((await env.control('POST', `/_machines/${second!.name}/deallocate`)).status).toBe(200)
    await settleWithin('the stop is adopted', (list) => list[1]!.status === 'Stopped')
    expect((await env.control('POST', `/_machines/${third!.name}/vanish`)).status).toBe(200)
    const after = await settleWithin('it is terminated', (list) => list[2]!.status === 'Terminated')
    expect(after[2]!.statusReason).toBe('It was deleted at the cloud outside of this portal.')
    expect(after[2]!.adminPass).toBeNull()
  })

  const settleWithin = async (
    description: string,
    condition: (machines: Awaited<ReturnType<typeof machinesOf>>) => boolean,
  ) => {
    const machines = await until(description, () => machinesOf(admin, TRAINING), condition)
    expect(await brokenInvariants(env.db, { quiet: true })).toEqual([])
    expect(await machineDifferences(env.db, await env.truth(), 60)).toEqual([])
    return machines
  }

  test('a machine that has used its allotted minutes stops and cannot be started', async () => {
    const name = 'Short course'
    await admin('POST', '/azure/machines', order(name, ['late@acme.test'], { allocatedHours: 30 }))
    await until('it runs', () => machinesOf(admin, name), all('Running'))
    await env.step(29 * 60)
    expect((await machinesOf(admin, name))[0]!.status).toBe('Running')
    await env.step(60)
    const [machine] = await until('it is stopped', () => machinesOf(admin, name), all('Stopped'))
    expect(machine!.quota.consumed).toBeGreaterThanOrEqual(30)
    expect(await power(admin, 1, [machine!])).toMatchObject({
      status: 409,
      body: { message: `The allocated hours of ${machine!.name} are used up.` },
    })
  })

  test('a restart happens once and does not change the bill', async () => {
    const name = 'Restarts'
    await admin('POST', '/azure/machines', order(name, ['again@acme.test']))
    const [machine] = await until('it runs', () => machinesOf(admin, name), all('Running'))
    const machineRef = [{ name: machine!.name, resourceGroup: machine!.resourceGroup }]
    expect((await admin('PATCH', '/azure/machinesRestart', machineRef)).status).toBe(200)
    await until('it was restarted', () => machinesOf(admin, name), all('Running'))
    const { body } = await env.control('GET', '/_truth?part=operations')
    const restarts = body.operations.filter(
      (o: { operation: string; target: string }) =>
        /restart/i.test(o.operation) && o.target.toLowerCase().endsWith(machine!.name),
    )
    expect(restarts).toHaveLength(1)
    expect((await admin('GET', `/azure/logs?vmName=${machine!.name}`)).body.logs).toHaveLength(1)
  })

  test('a running machine without an address is read only until its address is known', async () => {
    const running = async () => (await machinesOf(admin, 'Restarts'))[0]!
    const { name, publicIp } = await running()
    const reads = async () =>
      (await env.control('GET', '/_truth?part=calls')).body.calls['VirtualMachines_Get'] as number
    const due = (overrides: string) =>
      sql.raw(`update machine set ${overrides} reconcile_at = portal_now() where name = '${name}'`).execute(env.db)
    const settled = () =>
      until(
        'the worker is done with it',
        () => env.db.selectFrom('machine').select(['reconcile_at']).where('name', '=', name).executeTakeFirstOrThrow(),
        ({ reconcile_at }) => reconcile_at === null,
      )
    await due('public_ip = null,')
    await until('it has its address again', running, (machine) => machine.publicIp === publicIp)
    await settled()
    const before = await reads()
    await due('')
    await settled()
    expect(await reads()).toBe(before)
  })

  test('a deleted training leaves nothing at the provider, and its machines are listed as terminated', async () => {
    const root = await env.signIn('superadmin', 'root@demo.test', null)
    for (const name of [TRAINING, 'Short course', 'Restarts']) {
      const killed = await root('DELETE', `/azure/killTraining?trainingName=${encodeURIComponent(name)}`)
      expect(killed).toMatchObject({ status: 200, body: { message: 'Training deleted successfully.' } })
    }
    await until('all are terminated', () => machinesOf(admin, TRAINING), all('Terminated'))
    await until('and these', () => machinesOf(admin, 'Restarts'), all('Terminated'))
    await until('and this', () => machinesOf(admin, 'Short course'), all('Terminated'))
    const truth = await env.truth()
    expect(truth.machines.filter((m) => m.exists)).toEqual([])
    expect([truth.addresses, truth.networkInterfaces, truth.disks]).toEqual([[], [], []])
    expect(await brokenInvariants(env.db, { quiet: true })).toEqual([])
    expect(await env.db.selectFrom('orphan').selectAll().execute()).toEqual([])
    expect(env.bugs).toEqual([])
  })

  test('the health page shows the tasks only to a superadmin', async () => {
    const root = await env.signIn('superadmin', 'root@demo.test', null)
    const health = async () => (await root('GET', '/health')).body as ReplyOf<(typeof healthCalls)['check']>
    const expected = tasksOf(SERVER_MODULES, env.parts, FAST_PACE).map(({ name }) => name)
    const reported = await until('each task has run', health, ({ tasks = [] }) =>
      expected.every((wantedName) => tasks.some(({ name, endedAt }) => name === wantedName && endedAt !== null)),
    )
    const tasks = reported.tasks!
    expect(tasks.filter(({ result }) => result === 'failed' || result === 'not run yet')).toEqual([])
    const sweeps = tasks.find(({ name }) => name === 'compare machines with the provider')!
    expect(sweeps).toMatchObject({ worker: null, everySeconds: FAST_PACE.sweepBusy, error: null })
    expect(Math.abs(Date.parse(sweeps.startedAt!) - env.now().getTime())).toBeLessThan(60_000)
    expect(tasks.find(({ name }) => name === 'run schedules')!.worker).toMatch(/./)
    const kinds = reported.rows!.map(({ kind }) => kind)
    expect(kinds.toSorted()).toEqual(
      claimableTables(SERVER_MODULES)
        .filter((table) => table !== 'task')
        .toSorted(),
    )
    expect(kinds).toEqual(
      expect.arrayContaining([
        'aws_user',
        'azure_user',
        'machine',
        'orphan',
        'payment',
        'refund',
        'sandbox',
        'security_group',
      ]),
    )

    const { url } = await env.credentials('root@demo.test')
    const others = [
      (await admin('GET', '/health')).body,
      await (await fetch(`${url}/health`)).json(),
      await (await fetch(`${url}/health`, { headers: { authorization: 'Bearer nobodys' } })).json(),
    ]
    for (const other of others) expect(Object.keys(other).toSorted()).toEqual(['parts', 'status', 'version'])
  })
})
