import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { machineDifferences } from './compare-machines.ts'
import { brokenInvariants } from '@trainyard/platform/server/invariants/check.ts'
import { machinesOf, order, people } from '@trainyard/platform/test/orders.ts'
import { workerProcesses } from '@trainyard/platform/test/worker-processes.ts'
import { isBusy } from '@trainyard/platform/test/idle.ts'
import { until } from '@trainyard/platform/test/until.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'
import { dueChannel } from '@trainyard/platform/server/run/reconcile/notify.ts'

/** True for the long form, `npm run storm`, with 500 machines and five kills. */
const LONG = process.env.STORM === 'long'
const MACHINES = LONG ? 500 : 15
const KILLS = LONG ? 5 : 1
const TRAINING = 'Storm'
const WAIT = LONG ? 300_000 : 60_000
const PERIOD_SECONDS = 600
/**
 * Tolerance in seconds. A command with a lost reply counts from the time at which it was sent, and a busy computer
 * processes it later.
 */
const TOLERANCE_SECONDS = 15

/** The short form skips pauses in steps that are shorter than a lease, so that no lease expires. */
const STEP_SECONDS = 2
const DUE = (['machine', 'security_group', 'task'] as const).map(dueChannel)

const env = await sharedEnvironment({ latency: LONG ? 0.03 : 0 })
const workers = workerProcesses(env, { concurrency: 24 })
const admin = await env.signIn('admin', 'admin@acme.test', await env.organisation('Acme Learning'))

describe('an order with lost replies and killed workers', () => {
  afterAll(async () => {
    await workers.killAll()
  })

  async function stepPeriod(): Promise<void> {
    await env.step(PERIOD_SECONDS)
    expect(await machineDifferences(env.db, await env.truth(), TOLERANCE_SECONDS)).toEqual([])
  }

  /** Waits until the condition is true. The short form advances the clock while no work is due. */
  const waitFor = <T>(description: string, read: () => Promise<T>, condition: (seen: T) => boolean): Promise<T> =>
    until(
      description,
      async () => {
        const seen = await read()
        if (LONG || condition(seen) || (await isBusy(env.db))) return seen
        await env.step(STEP_SECONDS)
        // Notify the workers instead of waiting for their next poll.
        await sql`select pg_notify(channel, '') from unnest(${DUE}::text[]) as channel`.execute(env.db)
        return seen
      },
      condition,
      WAIT,
    )

  /** Starts two workers. In the short form one of them runs in this process and is not killed. */
  async function startTwo(): Promise<void> {
    await workers.start()
    // Low concurrency, so that the workers that are killed do most of the work.
    await (LONG ? workers.start() : env.worker({ concurrency: 4 }))
  }

  const observed = async (state: string) => {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from machine where observed = ${state} or command is not null`.execute(env.db)
    return rows[0]!.count
  }

  test(
    'creates each machine exactly once, leaves no other resources, and bills correctly',
    { timeout: WAIT * 2 },
    async () => {
      await env.control('POST', '/_faults', {
        kind: 'loseReply',
        operation: 'VirtualMachines_CreateOrUpdate',
        every: 10,
      })
      const began = performance.now()
      const ordered = await admin('POST', '/azure/machines', order(TRAINING, people(MACHINES)))
      const answered = performance.now() - began
      expect(ordered.status).toBe(200)

      await startTwo()
      for (let kill = 1; kill <= KILLS; kill++) {
        const share = (MACHINES * kill) / (KILLS + 1)
        await until(
          `${share} are under way`,
          () => observed('running'),
          (count) => count >= share,
          WAIT,
        )
        await workers.killOldest()
        await workers.start()
      }
      const machines = await waitFor(
        'all run',
        () => machinesOf(admin, TRAINING),
        (list) => list.every((machine) => machine.status === 'Running'),
      )
      const running = performance.now() - began
      await env.control('DELETE', '/_faults')
      expect(new Set(machines.map((machine) => machine.email)).size).toBe(MACHINES)
      await waitFor(
        'every lease has ended',
        () => brokenInvariants(env.db, { quiet: true }),
        (broken) => broken.length === 0,
      )
      await stepPeriod()
      expect(await env.db.selectFrom('orphan').selectAll().execute()).toEqual([])
      expect(workers.complaints).toEqual([])
      const listedAt = performance.now()
      await machinesOf(admin, TRAINING)
      process.stdout.write(
        `${MACHINES} machines: order answered in ${Math.round(answered)} ms, all ran after ` +
          `${Math.round(running / 100) / 10} s, list in ${Math.round(performance.now() - listedAt)} ms\n`,
      )
    },
  )

  test('resets, hands over and deletes machines despite kills', { timeout: WAIT * 2 }, async () => {
    const before = await machinesOf(admin, TRAINING)
    const third = Math.floor(before.length / 3)
    const machineRefs = before.map(({ name, resourceGroup }) => ({ name, resourceGroup }))
    for (const operation of [
      'VirtualMachines_Delete',
      'VirtualMachines_CreateOrUpdate',
      'VirtualMachineExtensions_*',
    ]) {
      await env.control('POST', '/_faults', { kind: 'loseReply', operation, every: 10 })
      await env.control('POST', '/_faults', { kind: 'throttle', operation, every: 7, retryAfter: 1 })
    }
    expect((await admin('PATCH', '/azure/machinesReset', machineRefs.slice(0, third))).status).toBe(200)
    for (const place of machineRefs.slice(third, 2 * third)) {
      const email = `next-${place.name}@acme.test`
      expect((await admin('PATCH', '/azure/machinesLearner', { ...place, email })).status).toBe(200)
    }
    const deleted = machineRefs.slice(2 * third, 2 * third + 2)
    expect((await admin('DELETE', '/azure/machines', deleted)).status).toBe(200)
    const remainingDeletions = async () => {
      const { rows } = await sql<{ left: number }>`
        select count(*) as left from machine where reset_asked_at is not null or password_due`.execute(env.db)
      return rows[0]!.left
    }
    for (let kill = 1; kill <= KILLS; kill++) {
      const share = (2 * third * (KILLS + 1 - kill)) / (KILLS + 1)
      await until(`${share} are left`, remainingDeletions, (left) => left <= share, WAIT)
      await workers.killOldest()
      await workers.start()
    }
    const deletedNames = new Set(deleted.map(({ name }) => name))
    const after = await waitFor(
      'all others run',
      () => machinesOf(admin, TRAINING),
      (list) => list.every(({ name, status }) => status === (deletedNames.has(name) ? 'Terminated' : 'Running')),
    )
    await env.control('DELETE', '/_faults')
    await waitFor(
      'every lease has ended',
      () => brokenInvariants(env.db, { quiet: true }),
      (broken) => broken.length === 0,
    )
    await stepPeriod()
    const live = after.filter(({ name }) => !deletedNames.has(name))
    const acceptedLogins = await Promise.all(
      live.map(async ({ name, adminUsername, adminPass }) => {
        const credentials = { username: adminUsername, password: adminPass }
        const { body } = await env.control('POST', `/_machines/${name}/sign-in`, credentials)
        return (body as { accepted: boolean }).accepted
      }),
    )
    expect(acceptedLogins.filter((accepted) => !accepted)).toEqual([])
    const changed = live.filter(
      ({ adminPass }, i) => adminPass !== before.find(({ _id }) => _id === live[i]!._id)!.adminPass,
    )
    expect(changed).toHaveLength(2 * third)
    expect(await env.db.selectFrom('orphan').selectAll().execute()).toEqual([])
    expect(workers.complaints).toEqual([])
  })

  test('changes power and deletes a training despite kills', { timeout: WAIT * 2 }, async () => {
    const machines = (await machinesOf(admin, TRAINING)).filter(({ isAlive }) => isAlive)
    const terminatedIds = new Set(
      (await machinesOf(admin, TRAINING)).filter(({ isAlive }) => !isAlive).map(({ _id }) => _id),
    )
    for (const operation of ['VirtualMachines_Deallocate', 'VirtualMachines_Start', 'VirtualMachines_Delete']) {
      await env.control('POST', '/_faults', { kind: 'loseReply', operation, every: 10 })
    }
    const power = (operation: 0 | 1) =>
      admin('PATCH', '/azure/machines', [
        { operation },
        ...machines.map(({ name, resourceGroup }) => ({ name, resourceGroup })),
      ])
    const settled = (status: string) =>
      waitFor(
        `all are ${status}`,
        () => machinesOf(admin, TRAINING),
        (list) => list.every((machine) => machine.status === status || terminatedIds.has(machine._id)),
      )
    expect((await power(0)).status).toBe(200)
    await workers.killOldest()
    if (LONG) await workers.start()
    await settled('Stopped')
    await stepPeriod()
    expect((await power(1)).status).toBe(200)
    await settled('Running')
    await stepPeriod()
    const root = await env.signIn('superadmin', 'root@demo.test', null)
    expect((await root('DELETE', `/azure/killTraining?trainingName=${TRAINING}`)).status).toBe(200)
    await settled('Terminated')
    const truth = await env.truth()
    expect(truth.machines.filter((machine) => machine.exists)).toEqual([])
    expect([truth.addresses, truth.networkInterfaces, truth.disks]).toEqual([[], [], []])
    expect(await machineDifferences(env.db, truth, TOLERANCE_SECONDS)).toEqual([])
    expect(await brokenInvariants(env.db, { quiet: true })).toEqual([])
    expect(workers.complaints).toEqual([])
    expect(env.bugs).toEqual([])
  })
})
