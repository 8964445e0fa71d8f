/** @module-tag full */
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { machine as calls } from '../../contract/machine.ts'
import type { OperationKind } from '../../contract/operation.ts'
import { UNDO_HEADER, UNDO_SECONDS } from '@trainyard/platform/contract/words/limits.ts'
import { brokenInvariants } from '@trainyard/platform/server/invariants/check.ts'
import { machinesOf, order, people } from '@trainyard/platform/test/orders.ts'
import { percentile } from '@trainyard/platform/test/percentile.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'
import { startManualClock } from '@trainyard/platform/test/manual-clock.ts'
import { until } from '@trainyard/platform/test/until.ts'

type Operations = ReplyOf<typeof calls.operations>['operations']

const TRAINING = 'Linux 101'
const MACHINES = 7

const env = await sharedEnvironment({ latency: 1, clock: 'stepped', overrides: { azure: { readEveryMs: 100 } } })
const acme = await env.organisation('Acme Learning')
const admin = await env.signIn('admin', 'admin@acme.test', acme)
const clock = await startManualClock(env, '2027-01-04T09:00:00Z')
/** Leases are long, because the clock runs far ahead of the worker and a short lease would expire during a step. */
const PACE = { leaseSeconds: 3_600 }
let worker = await env.worker(PACE)

const list = () => machinesOf(admin, TRAINING)
const operationsOf = async (name: string): Promise<Operations> =>
  (await admin('GET', `/azure/operations?vmName=${name}`)).body.operations
const power = async (operation: 0 | 1) =>
  admin('PATCH', '/azure/machines', [
    { operation },
    ...(await list()).map(({ name, resourceGroup }) => ({ name, resourceGroup })),
  ])
const all = (status: string) => (machines: { status: string }[]) => machines.every((m) => m.status === status)

/**
 * Returns the seconds from the request to the end of each machine's operation, from the provider's records (whole
 * seconds).
 */
async function recorded(operation: RegExp, requestedAt: Date): Promise<number[]> {
  const { operations } = await env.truth('operations')
  const matching = operations.filter(({ operation: name, target, startedAt }) => {
    return (
      operation.test(name) && /virtualMachines\/[^/]+$/i.test(target) && Date.parse(startedAt) >= requestedAt.getTime()
    )
  })
  // Advancing the clock can make a call time out and be repeated, so the first call per machine is used.
  const first = new Map(matching.toReversed().map((each) => [each.target, each]))
  return [...first.values()].map(({ endedAt }) => Math.floor((Date.parse(endedAt!) - requestedAt.getTime()) / 1000))
}

async function measured(kind: OperationKind) {
  const [machine] = await list()
  const operation = (await operationsOf(machine!.name)).find((each) => each.kind === kind)!
  return operation.usual!
}

async function expectMeasured(kind: OperationKind, operation: RegExp, requestedAt: Date) {
  const seconds = await recorded(operation, requestedAt)
  expect(seconds).toHaveLength(MACHINES)
  const typical = await measured(kind)
  process.stdout.write(`${kind}: median ${typical.median} s, p90 ${typical.p90} s of ${MACHINES}\n`)
  expect(typical.median).toBeCloseTo(percentile(seconds, 0.5), 3)
  expect(typical.p90).toBeCloseTo(percentile(seconds, 0.9), 3)
}

describe("operation durations match the provider's record", () => {
  test("creations have their steps in order, and the order's estimate is based on them", async () => {
    const requestedAt = clock.now()
    const first = await admin('POST', '/azure/machines', order(TRAINING, people(MACHINES)))
    expect(first.body.waitMinutes).toBe(2)
    expect((await list())[0]!.progress).toMatchObject({ kind: 'create', acceptedAt: null, endedAt: null, usual: null })
    await clock.runUntil('they run', list, all('Running'))
    await expectMeasured('create', /CreateOrUpdate/, requestedAt)
    const [machine] = await list()
    const [operation] = await operationsOf(machine!.name)
    const { askedAt, sentAt, acceptedAt, endedAt } = operation!
    expect([askedAt, sentAt, acceptedAt, endedAt].map((at) => Date.parse(at!))).toEqual(
      [askedAt, sentAt, acceptedAt, endedAt].map((at) => Date.parse(at!)).toSorted((a, b) => a - b),
    )
    const { median } = await measured('create')
    const again = await admin('POST', '/azure/machines', order('Linux 102', ['a@acme.test']))
    expect(again.body.waitMinutes).toBe(Math.ceil(median / 60))
  })

  test('stops, starts and restarts', async () => {
    let requestedAt = clock.now()
    expect((await power(0)).body.message).toBe('VM Stop in Process, Please wait for 70 secs before trying again')
    await clock.runUntil('they are stopped', list, all('Stopped'))
    await expectMeasured('stop', /deallocate/i, requestedAt)
    requestedAt = clock.now()
    await power(1)
    await clock.runUntil('they run', list, all('Running'))
    await expectMeasured('start', /_Start$/i, requestedAt)
    requestedAt = clock.now()
    await admin(
      'PATCH',
      '/azure/machinesRestart',
      (await list()).map(({ name, resourceGroup }) => ({ name, resourceGroup })),
    )
    await clock.runUntil('they run again', list, all('Running'))
    await expectMeasured('restart', /_Restart$/i, requestedAt)
    expect(await brokenInvariants(env.db, { quiet: false })).toEqual([])
  })

  test('failures report the reason and are not measured', async () => {
    const before = await measured('stop')
    await env.emulator.fault({
      kind: 'finishFailed',
      operation: 'VirtualMachines_Deallocate',
      code: 'InternalExecutionError',
      message: 'It failed.',
    })
    await power(0)
    const failing = await clock.runUntil('one fails', list, (machines) => machines.some((m) => m.status === 'Failing'))
    const [operation] = await operationsOf(failing.find((m) => m.status === 'Failing')!.name)
    expect(operation).toMatchObject({ kind: 'stop', endedAt: null, closed: false })
    expect(operation!.reason).toContain('It failed.')
    expect(await measured('stop')).toEqual(before)
    await env.emulator.clearFaults()
    await clock.runUntil('they are stopped', list, all('Stopped'))
    expect((await operationsOf(failing[0]!.name))[0]).toMatchObject({ kind: 'stop', closed: true, reason: null })
    expect(await brokenInvariants(env.db, { quiet: true })).toEqual([])
    expect(env.bugs).toEqual([])
  })

  test('a start is complete once the machine answers; a machine that never answers is reported', async () => {
    const [silentMachine, other] = await list()
    await env.control('POST', `/_machines/${silentMachine!.name}/deaf`, { deaf: true })
    await power(1)
    const runningAt = await clock.runUntil('they run', list, all('Running'))
    const waiting = runningAt.find(({ name }) => name === silentMachine!.name)!.progress!
    expect(waiting).toMatchObject({ kind: 'start', readyAt: null })
    expect(waiting.endedAt).not.toBeNull()
    await clock.runUntil('the others answer', list, (machines) => machines.filter((m) => m.progress).length === 1)
    const [answered] = await operationsOf(other!.name)
    // The emulated system needs 15 s after the start of its machine.
    expect(Date.parse(answered!.readyAt!) - Date.parse(answered!.endedAt!)).toBeGreaterThanOrEqual(15_000)
    await clock.runUntil('it is closed', list, (machines) => machines.every((m) => m.progress === null), 1_000)
    const [unanswered] = await operationsOf(silentMachine!.name)
    expect(unanswered).toMatchObject({
      readyAt: null,
      closed: true,
      reason:
        "The machine runs but did not answer on port 22 (SSH) within 10 minutes: check the subnet's route table and firewall.",
    })
    expect(env.bugs).toEqual([])
  })

  test('a Windows machine is checked for Remote Desktop', async () => {
    await sql`
      update template set os = 'Windows', image = '{"id": "MicrosoftWindowsServer:WindowsServer:2022-datacenter-g2:latest"}',
        licence = 'Windows_Server'`.execute(env.db)
    await admin('POST', '/azure/machines', order('Windows 101', ['w@acme.test']))
    const windows = () => machinesOf(admin, 'Windows 101')
    await clock.runUntil('it answers', windows, ([one]) => one!.status === 'Running' && one!.progress === null)
    const [machine] = await windows()
    const [operation] = await operationsOf(machine!.name)
    expect(operation).toMatchObject({ kind: 'create', closed: true, reason: null })
    expect(operation!.readyAt).not.toBeNull()
  })

  describe('an undoable power-off', () => {
    const machineRef = async () => {
      const [machine] = await list()
      return { name: machine!.name, resourceGroup: machine!.resourceGroup }
    }
    const stop = async () =>
      admin('PATCH', '/azure/machines', [{ operation: 0 }, await machineRef()], { [UNDO_HEADER]: '1' })
    const undoPowerOff = async (caller = admin) => caller('PATCH', '/azure/machinesUndo', [await machineRef()])
    const sent = async () => (await env.truth('calls')).calls.VirtualMachines_Deallocate ?? 0
    const status = async () => (await list())[0]!.status

    test('is shown immediately and is sent after five seconds, not earlier', async () => {
      const before = await sent()
      expect((await stop()).body.message).toBe('VM Stop in Process, Please wait for 10 secs before trying again')
      expect(await status()).toBe('Stopping')
      await clock.run(4)
      // If a sweep or another worker processes the machine earlier, the stop is not sent.
      await sql`update machine set reconcile_at = portal_now() where not_before is not null`.execute(env.db)
      await until(
        'the step has run',
        () =>
          sql<{ due: boolean }>`
          select reconcile_at <= portal_now() or leased_until is not null as due from machine
          where not_before is not null`.execute(env.db),
        ({ rows: [row] }) => !row!.due,
      )
      expect(await sent()).toBe(before)
      await clock.run(2)
      await until('it was sent', sent, (count) => count === before + 1)
      expect(await undoPowerOff()).toMatchObject({ status: 409, body: { message: /^It is too late to undo: / } })
      await clock.runUntil('it is stopped', status, (now) => now === 'Stopped')
      // The undo period does not count as the provider's time.
      const { name } = await machineRef()
      const [delayed] = (
        await sql<{ seconds: number }>`
          select extract(epoch from held_until - asked_at)::float8 as seconds from operation
          where machine_id = (select id from machine where name = ${name}) and kind = 'stop'
          order by asked_at desc limit 1`.execute(env.db)
      ).rows
      expect(delayed!.seconds).toBeCloseTo(UNDO_SECONDS, 1)
      await sql`delete from operation where kind = 'stop' and held_until is null`.execute(env.db)
      const { askedAt } = (await operationsOf(name)).find(({ kind }) => kind === 'stop')!
      const [recordedSeconds] = await recorded(/Deallocate/, new Date(askedAt))
      expect(Math.abs((await measured('stop')).median - (recordedSeconds! - UNDO_SECONDS))).toBeLessThan(1)
    })

    test('can be undone once within the undo period, and then nothing is sent', async () => {
      await admin('PATCH', '/azure/machines', [{ operation: 1 }, await machineRef()])
      await clock.runUntil('it runs', status, (now) => now === 'Running')
      const before = await sent()
      await stop()
      await clock.run(3)
      const { name } = await machineRef()
      expect(await undoPowerOff()).toMatchObject({ status: 200, body: { message: `${name} keeps running.` } })
      expect(await status()).toBe('Running')
      expect(await undoPowerOff()).toMatchObject({ status: 409, body: { message: `${name} is not being stopped.` } })
      await clock.run(10)
      expect([await sent(), await status()]).toEqual([before, 'Running'])
      expect((await operationsOf(name)).find(({ kind }) => kind === 'stop')).toMatchObject({
        closed: true,
        endedAt: null,
      })
    })

    test('cannot be undone by users who were not allowed to stop the machine', async () => {
      await stop()
      const foreign = await env.signIn('admin', 'undo@globex.test', await env.organisation('Undo Academy'))
      const other = await env.signIn('user', 'learner1@acme.test', acme)
      for (const caller of [foreign, other]) expect((await undoPowerOff(caller)).status).toBe(404)
      expect(await status()).toBe('Stopping')
      const owner = await env.signIn('user', 'learner0@acme.test', acme)
      expect((await undoPowerOff(owner)).status).toBe(200)
    })

    test('is sent after its worker died; a stop by a schedule is not delayed', async () => {
      const before = await sent()
      await worker.stop()
      await stop()
      await clock.run(60)
      expect([await sent(), await status()]).toEqual([before, 'Stopping'])
      worker = await env.worker(PACE)
      await clock.runUntil('it is stopped', status, (now) => now === 'Stopped')
      expect(await sent()).toBe(before + 1)
      await admin('PATCH', '/azure/machines', [{ operation: 1 }, await machineRef()])
      await clock.runUntil('it runs', status, (now) => now === 'Running')
      await admin('PATCH', '/azure/machines', [{ operation: 0 }, await machineRef()])
      await until('it was sent immediately', sent, (count) => count === before + 2)
      await clock.runUntil('it is stopped', status, (now) => now === 'Stopped')
      expect(await brokenInvariants(env.db, { quiet: false })).toEqual([])
      expect(env.bugs).toEqual([])
    })
  })

  test(
    'a reset, a snapshot and a deletion have operations with their steps in order',
    { tags: ['storm'] },
    async () => {
      const machines = await list()
      const running = machines.filter(({ isRunning }) => isRunning)
      await env.control('POST', `/_machines/${machines[0]!.name}/deaf`, { deaf: false })
      await admin('PATCH', '/azure/machines', [
        { operation: 0 },
        ...running.map((machine) => ({ name: machine.name, resourceGroup: machine.resourceGroup })),
      ])
      await clock.runUntil('they are stopped', list, all('Stopped'))
      await power(1)
      await clock.runUntil('they run', list, all('Running'))
      const { name, resourceGroup } = (await list())[0]!
      const one = async () => (await list()).find((machine) => machine.name === name)!
      const latest = async () => (await operationsOf(name))[0]!
      const inOrder = ({ askedAt, sentAt, acceptedAt, endedAt, readyAt }: Operations[number]) => {
        const instants = [askedAt, sentAt, acceptedAt, endedAt, readyAt].filter((at) => at !== null)
        return instants.every((at, index) => index === 0 || at >= instants[index - 1]!)
      }

      await admin('PATCH', '/azure/machinesReset', [{ name, resourceGroup }])
      expect(await latest()).toMatchObject({ kind: 'reset', endedAt: null, closed: false })
      await clock.runUntil('it answers again', latest, ({ kind, readyAt }) => kind === 'reset' && readyAt !== null, 600)
      const reset = await latest()
      expect([reset.closed, reset.reason, inOrder(reset)]).toEqual([true, null, true])
      const created = await recorded(/CreateOrUpdate/, new Date(reset.askedAt))
      expect((Date.parse(reset.endedAt!) - Date.parse(reset.askedAt)) / 1000).toBeCloseTo(created[0]!, -1)

      await admin('PATCH', '/azure/machines', [{ operation: 0 }, { name, resourceGroup }])
      await clock.runUntil('it is stopped', one, ({ status }) => status === 'Stopped')
      expect((await admin('POST', '/admin/capture', { vm: name })).status).toBe(200)
      expect(await latest()).toMatchObject({ kind: 'capture', endedAt: null, closed: false })
      // A snapshot delays everything else, so it is shown regardless of the time of the other request.
      const other = (askedAt: string) => sql<{ kind: string }>`
      with machine as (select id, organisation_id, size_name, location from machine where name = ${name})
      insert into operation (machine_id, organisation_id, kind, size_name, location, asked_at)
      select id, organisation_id, 'stop', size_name, location, ${askedAt} from machine`
      for (const askedAt of ['2027-01-01T00:00:00Z', '2028-01-01T00:00:00Z']) {
        await other(askedAt).execute(env.db)
        const { progress } = await one()
        await sql`delete from operation where asked_at = ${askedAt}`.execute(env.db)
        expect(progress).toMatchObject({ kind: 'capture' })
      }
      // The real clock determines when jobs run, so the test's clock must not advance too far before they have run.
      await until(
        'the image is made',
        async () => {
          await clock.jump(new Date(clock.now().getTime() + 10_000))
          return latest()
        },
        ({ endedAt }) => endedAt !== null,
        60_000,
      )
      expect(await latest()).toMatchObject({ kind: 'capture', closed: true, reason: null })

      await admin('DELETE', '/azure/machines', [{ name, resourceGroup }])
      await clock.runUntil('it is gone', one, ({ isAlive }) => !isAlive, 600)
      const deleted = await latest()
      expect(deleted).toMatchObject({ kind: 'delete', closed: true, reason: null })
      expect([deleted.endedAt === null, inOrder(deleted)]).toEqual([false, true])
      expect(env.bugs).toEqual([])
    },
  )

  test('operations of a machine of another organisation are not found', async () => {
    const globex = await env.organisation('Globex Academy')
    const foreign = await env.signIn('admin', 'admin@globex.test', globex)
    const [machine] = await list()
    const missing = await foreign('GET', '/azure/operations?vmName=no-such-1')
    expect(await foreign('GET', `/azure/operations?vmName=${machine!.name}`)).toMatchObject({
      status: 404,
      body: { message: missing.body.message },
    })
    const otherUser = await env.signIn('user', 'learner1@acme.test', acme)
    expect((await otherUser('GET', `/azure/operations?vmName=${machine!.name}`)).status).toBe(404)
    const { rows } = await sql`select from operation where closed_at is null and kind = 'stop'`.execute(env.db)
    expect(rows).toEqual([])
  })

  describe('a start of several machines', () => {
    const COUNT = 2
    const TRAINING_TO_START = 'Bulk 101'
    const machines = async () => machinesOf(admin, TRAINING_TO_START)
    const refs = async () => (await machines()).map(({ name, resourceGroup }) => ({ name, resourceGroup }))
    const startAll = async () =>
      admin('PATCH', '/azure/machines', [{ operation: 1 }, ...(await refs())], { [UNDO_HEADER]: '1' })
    const undoStart = async () => admin('PATCH', '/azure/machinesUndo', await refs())
    const calls = async () => {
      const made = (await env.truth('calls')).calls as Record<string, number | undefined>
      return (made['VirtualMachines_Start'] ?? 0) + (made['VirtualMachines_CreateOrUpdate'] ?? 0)
    }
    const statuses = async () => new Set((await machines()).map(({ status }) => status))
    const runs = async () =>
      (
        await sql<{ count: number }>`
          select count(*)::int as count from run join machine m on m.id = run.machine_id
          where m.name = any(${(await refs()).map(({ name }) => name)})`.execute(env.db)
      ).rows[0]!.count

    /** Lets a worker process the held machines before their time, as a sweep would. */
    async function processHeld() {
      await sql`update machine set reconcile_at = portal_now() where not_before is not null`.execute(env.db)
      await until(
        'the steps have run',
        () =>
          sql<{ due: boolean }>`
          select coalesce(bool_or(reconcile_at <= portal_now() or leased_until is not null), false) as due from machine
          where not_before is not null`.execute(env.db),
        ({ rows: [row] }) => !row!.due,
      )
    }

    test('is not sent before ten seconds, and never after an undo', async () => {
      await admin('POST', '/azure/machines', order(TRAINING_TO_START, people(COUNT)))
      await clock.runUntil('they run', statuses, (now) => now.size === 1 && now.has('Running'))
      await admin('PATCH', '/azure/machines', [{ operation: 0 }, ...(await refs())])
      await clock.runUntil('they are stopped', statuses, (now) => now.size === 1 && now.has('Stopped'))
      const [before, runsBefore] = [await calls(), await runs()]
      expect((await startAll()).status).toBe(200)
      expect(await statuses()).toEqual(new Set(['Starting']))
      await clock.run(9)
      await processHeld()
      expect(await calls()).toBe(before)
      expect(await undoStart()).toMatchObject({
        status: 200,
        body: { message: `${COUNT} machines are not started.` },
      })
      expect(await statuses()).toEqual(new Set(['Stopped']))
      const { name } = (await machines())[0]!
      expect(await undoStart()).toMatchObject({ status: 409, body: { message: `${name} is not being started.` } })
      await clock.run(60)
      expect([await calls(), await runs()]).toEqual([before, runsBefore])
      expect((await operationsOf(name))[0]).toMatchObject({ kind: 'start', closed: true, endedAt: null })
      expect(await brokenInvariants(env.db, { quiet: true })).toEqual([])
    })

    test('is sent after ten seconds, and cannot be undone then', async () => {
      const before = await calls()
      const [first] = await refs()
      expect((await startAll()).status).toBe(200)
      await clock.run(9)
      await processHeld()
      expect(await calls()).toBe(before)
      await clock.run(2)
      await until('they were sent', calls, (count) => count === before + COUNT)
      expect(await undoStart()).toMatchObject({
        status: 409,
        body: { message: `It is too late to undo: ${first!.name} is being started.` },
      })
      await clock.runUntil('they run', statuses, (now) => now.size === 1 && now.has('Running'))
    })

    test('of one machine is sent at once', async () => {
      const [first] = await refs()
      await admin('PATCH', '/azure/machines', [{ operation: 0 }, first!])
      await clock.runUntil('it is stopped', statuses, (now) => now.has('Stopped'))
      const before = await calls()
      await admin('PATCH', '/azure/machines', [{ operation: 1 }, first!], { [UNDO_HEADER]: '1' })
      await until('it was sent', calls, (count) => count === before + 1)
      await clock.runUntil('they run', statuses, (now) => now.size === 1 && now.has('Running'))
      expect(env.bugs).toEqual([])
    })
  })
})
