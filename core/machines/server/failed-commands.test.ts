/** @module-tag full */
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Machine } from '../contract/machine.ts'
import { sweep } from './sweep.ts'
import { machineDifferences } from './compare-machines.ts'
import { brokenInvariants } from '@trainyard/platform/server/invariants/check.ts'
import type { Running } from '@trainyard/platform/server/run/reconcile/running.ts'
import { machinesOf, order } from '@trainyard/platform/test/orders.ts'
import { suspendTask, resumeTask } from '@trainyard/platform/test/tasks.ts'
import { until } from '@trainyard/platform/test/until.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'

let worker: Running
let number = 0
let training: string
let machine: Machine

const env = await sharedEnvironment()
const admin = await env.signIn('admin', 'admin@acme.test', await env.organisation('Acme Learning'))

beforeEach(async () => {
  await env.control('DELETE', '/_faults')
  await releaseSweep()
  training = `Failing ${number++}`
  await admin('POST', '/azure/machines', order(training, ['learner@acme.test']))
  worker = await env.worker()
  machine = await becomes('Running')
  await worker.stop()
})

afterEach(() => worker.stop())

async function becomes(status: Machine['status']): Promise<Machine> {
  const machines = await until(
    `it is ${status}`,
    () => machinesOf(admin, training),
    ([first]) => first?.status === status,
  )
  return machines[0]!
}

const power = async (operation: 0 | 1) => {
  const machineRef = { name: machine.name, resourceGroup: machine.resourceGroup }
  expect((await admin('PATCH', '/azure/machines', [{ operation }, machineRef])).status).toBe(200)
}
const fault = (kind: string, operation: string, overrides: object = {}) =>
  env.control('POST', '/_faults', { kind, operation, name: machine.name, times: 1, ...overrides })
/** Disables the sweep, so that only the machine's own step reads the state of the machine. */
const holdSweep = () => suspendTask(env.db, 'compare machines with the provider')
const releaseSweep = () => resumeTask(env.db, 'compare machines with the provider')

const accepted = () =>
  until(
    'the command was accepted',
    () => env.db.selectFrom('machine').select('command_accepted').where('name', '=', machine.name).executeTakeFirst(),
    (row) => row?.command_accepted === true,
  )

/**
 * Returns the differences between the runs and the provider's records for this machine (M4), after all pending steps
 * (S5).
 */
async function differences(tolerance = 0): Promise<string[]> {
  await until(
    'nothing is stuck',
    () => brokenInvariants(env.db, { quiet: true }),
    (broken) => broken.length === 0,
  )
  const sentences = await machineDifferences(env.db, await env.truth(), tolerance)
  return sentences.filter((sentence) => sentence.includes(machine.name))
}

test('after a failed stop of a deallocated machine shows Stopped and can start the machine again', async () => {
  await holdSweep()
  await fault('finishFailed', 'VirtualMachines_Deallocate', { code: 'InternalExecutionError', message: 'It failed.' })
  await env.control('POST', `/_machines/${machine.name}/deallocate`)
  await power(0)
  worker = await env.worker()
  await accepted()
  await releaseSweep()
  expect(await becomes('Stopped')).toMatchObject({ statusReason: null })
  const [fired] = ((await env.control('GET', '/_faults')).body as { faults: { happened: number }[] }).faults
  expect(fired).toMatchObject({ happened: 1 })
  await power(1)
  await becomes('Running')
})

test('bills a failed start until it failed, not until the failure is noticed', async () => {
  worker = await env.worker()
  await power(0)
  await becomes('Stopped')
  await fault('finishFailed', 'VirtualMachines_Start', { code: 'AllocationFailed', message: 'No room.' })
  await holdSweep()
  await power(1)
  await accepted()
  await worker.stop()
  await env.step(220)
  await releaseSweep()
  worker = await env.worker()
  await becomes('Running')
  expect(await differences()).toEqual([])
})

test('creates a machine again under the same name if Azure cancelled its creation', { tags: ['storm'] }, async () => {
  const name = `Canceled ${number++}`
  await env.control('POST', '/_faults', {
    kind: 'finishCanceled',
    operation: 'VirtualMachines_CreateOrUpdate',
    times: 1,
  })
  await admin('POST', '/azure/machines', order(name, ['canceled@acme.test']))
  worker = await env.worker()
  const [failing] = await until(
    'the reason is shown',
    () => machinesOf(admin, name),
    ([first]) => first?.statusReason?.includes('Operation was canceled.') === true || first?.status === 'Running',
  )
  expect(failing).toMatchObject({
    statusReason:
      'Azure canceled the last operation on the machine (Canceled): Operation was canceled. The portal retries automatically.',
  })
  await until(
    'it runs',
    () => machinesOf(admin, name),
    ([first]) => first?.status === 'Running',
  )
  const truth = await env.truth()
  expect(truth.machines.filter((each) => each.name === failing!.name && each.exists)).toHaveLength(1)
})

test('retries a start as soon as usual if the sweep notices its failure', async () => {
  worker = await env.worker()
  await power(0)
  await becomes('Stopped')
  await fault('finishFailed', 'VirtualMachines_Start', { code: 'AllocationFailed', message: 'No room.' })
  await holdSweep()
  await power(1)
  await accepted()
  await worker.stop()
  await sweep(env.parts.db, env.parts.clouds, 'states', AbortSignal.timeout(20_000))
  const { rows } = await sql`
    select attempts, command, reconcile_at <= portal_now() + interval '2 seconds' as soon from machine
    where name = ${machine.name}`.execute(env.db)
  expect(rows).toEqual([{ attempts: 1, command: null, soon: true }])
})

test('bills a machine whose accepted deletion failed while it runs, and deletes it again', async () => {
  await fault('finishFailed', 'VirtualMachines_Delete', { code: 'InternalExecutionError', message: 'It failed.' })
  await holdSweep()
  const root = await env.signIn('superadmin', 'root@demo.test', null)
  expect((await root('DELETE', `/azure/killTraining?trainingName=${encodeURIComponent(training)}`)).status).toBe(200)
  worker = await env.worker()
  await accepted()
  await worker.stop()
  await env.step(220)
  await sweep(env.parts.db, env.parts.clouds, 'states', AbortSignal.timeout(20_000))
  await releaseSweep()
  // Leases are long, because the clock is advanced below and a short lease would expire.
  worker = await env.worker({ leaseSeconds: 60 })
  const row = () =>
    env.db.selectFrom('machine').select('terminated_at').where('name', '=', machine.name).executeTakeFirst()
  await until(
    'it is terminated',
    async () => {
      await env.step(10)
      return row()
    },
    (found) => found?.terminated_at !== null,
    20_000,
  )
  expect(await differences()).toEqual([])
})

test('does not repeat a stop with a lost reply if a later read is refused', { tags: ['storm'] }, async () => {
  const countStops = async () => {
    const { calls } = (await env.control('GET', '/_truth?part=calls')).body as { calls: Record<string, number> }
    return calls['VirtualMachines_Deallocate'] ?? 0
  }
  const before = await countStops()
  await fault('loseReply', 'VirtualMachines_Deallocate')
  await fault('throttle', 'VirtualMachines_Get', { retryAfter: 2 })
  await holdSweep()
  await power(0)
  worker = await env.worker()
  await becomes('Stopped')
  await releaseSweep()
  // A lost reply has no time, so the time at which the command was sent counts.
  expect(await differences(1)).toEqual([])
  expect((await countStops()) - before).toBe(1)
})

test(
  'leaves nothing at the provider if a training is deleted during a creation, even a late one',
  { tags: ['storm'] },
  async () => {
    const lateTraining = `Late ${number}`
    await env.control('POST', '/_faults', {
      kind: 'doneLate',
      operation: 'VirtualMachines_CreateOrUpdate',
      seconds: 40,
      times: 1,
    })
    worker = await env.worker()
    await admin('POST', '/azure/machines', order(lateTraining, ['late@acme.test']))
    const row = () =>
      env.db
        .selectFrom('machine')
        .innerJoin('training', 'training.id', 'machine.training_id')
        .select(['machine.id', 'command', 'command_accepted', 'attempts', 'terminated_at'])
        .where('training.name', '=', lateTraining)
        .executeTakeFirst()
    await until('it was sent without a reply', row, (found) => found?.command === 'create' && found.attempts > 0)
    const root = await env.signIn('superadmin', 'root@demo.test', null)
    expect((await root('DELETE', `/azure/killTraining?trainingName=${encodeURIComponent(lateTraining)}`)).status).toBe(
      200,
    )
    const { id } = (await row())!
    await until(
      'it is terminated',
      async () => {
        await env.step(10)
        return row()
      },
      (found) => found?.terminated_at !== null,
      20_000,
    )
    // The creation is complete at this time.
    await env.step(60)
    const existing = (await env.truth()).machines.filter(
      ({ exists, tags }) => exists && tags['trainyard-machine'] === id,
    )
    expect(existing).toEqual([])
  },
)

test('does not read a machine in the sweep if it is being processed and missing from the list', async () => {
  const countReads = async () => {
    const { calls } = (await env.control('GET', '/_truth?part=calls')).body as { calls: Record<string, number> }
    return calls['VirtualMachines_Get'] ?? 0
  }
  const sweepAll = async () => {
    const before = await countReads()
    await sweep(env.parts.db, env.parts.clouds, 'everything', AbortSignal.timeout(20_000))
    return (await countReads()) - before
  }
  await env.control('POST', `/_machines/${machine.name}/vanish`)
  const lease = (seconds: number | null) =>
    sql`update machine set leased_until = portal_now() + make_interval(secs => ${seconds}::float8)
      where name = ${machine.name}`.execute(env.db)
  await lease(60)
  expect(await sweepAll()).toBe(0)
  await lease(null)
  expect(await sweepAll()).toBe(1)
})
