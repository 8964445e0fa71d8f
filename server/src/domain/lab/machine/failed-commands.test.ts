import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Machine } from '@trainyard/contract/calls/machine.ts'
import { sweep } from './sweep.ts'
import { differencesFrom } from '../../../invariants/against-truth.ts'
import { brokenInvariants } from '../../../invariants/check.ts'
import type { Running } from '../../../reconcile/running.ts'
import { machinesOf, order } from '#test/orders.ts'
import { holdTask, releaseTask } from '#test/tasks.ts'
import { until } from '#test/until.ts'
import { sharedEnvironment } from '#test/shared.ts'

let worker: Running
let number = 0
let training: string
let machine: Machine

const env = await sharedEnvironment()
const admin = await env.as('admin', 'admin@acme.test', await env.organisation('Acme Learning'))

/** Each test has a machine that runs, and no worker. */
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
  const place = { name: machine.name, resourceGroup: machine.resourceGroup }
  expect((await admin('PATCH', '/azure/machines', [{ operation }, place])).status).toBe(200)
}
const fault = (kind: string, operation: string, more: object = {}) =>
  env.control('POST', '/_faults', { kind, operation, name: machine.name, times: 1, ...more })
/** The list of all is not looked at: what the machine's own step sees counts. */
const holdSweep = () => holdTask(env.db, 'sweep machines')
const releaseSweep = () => releaseTask(env.db, 'sweep machines')

/** The command was taken, and not followed up. */
const taken = () =>
  until(
    'the command was taken',
    () => env.db.selectFrom('machine').select('command_accepted').where('name', '=', machine.name).executeTakeFirst(),
    (row) => row?.command_accepted === true,
  )

/** M4 of this machine: answers what differs from the provider's record, once nothing is stuck (S5). */
async function differences(tolerance = 0): Promise<string[]> {
  await until(
    'nothing is stuck',
    () => brokenInvariants(env.db, { quiet: true }),
    (broken) => broken.length === 0,
  )
  const sentences = await differencesFrom(env.db, await env.truth(), tolerance)
  return sentences.filter((sentence) => sentence.includes(machine.name))
}

test('a stop that fails on a machine that somebody deallocated leaves it Stopped, to be started again', async () => {
  await holdSweep()
  await fault('finishFailed', 'VirtualMachines_Deallocate', { code: 'InternalExecutionError', message: 'It failed.' })
  await env.control('POST', `/_machines/${machine.name}/deallocate`)
  await power(0)
  worker = await env.worker()
  await taken()
  await releaseSweep()
  expect(await becomes('Stopped')).toMatchObject({ statusReason: null })
  const [told] = ((await env.control('GET', '/_faults')).body as { faults: { happened: number }[] }).faults
  expect(told).toMatchObject({ happened: 1 })
  await power(1)
  await becomes('Running')
})

test('a start that fails is billed until it failed, not until that is noticed', async () => {
  worker = await env.worker()
  await power(0)
  await becomes('Stopped')
  await fault('finishFailed', 'VirtualMachines_Start', { code: 'AllocationFailed', message: 'No room.' })
  await holdSweep()
  await power(1)
  await taken()
  await worker.stop()
  // Nobody looks for minutes.
  await env.step(220)
  await releaseSweep()
  worker = await env.worker()
  await becomes('Running')
  expect(await differences()).toEqual([])
})

test('a start that the sweep sees to have failed is tried again as soon as any other', async () => {
  worker = await env.worker()
  await power(0)
  await becomes('Stopped')
  await fault('finishFailed', 'VirtualMachines_Start', { code: 'AllocationFailed', message: 'No room.' })
  await holdSweep()
  await power(1)
  await taken()
  await worker.stop()
  await sweep(env.parts.db, env.parts.cloud, 'states', AbortSignal.timeout(20_000))
  const { rows } = await sql`
    select attempts, command, reconcile_at <= portal_now() + interval '2 seconds' as soon from machine
    where name = ${machine.name}`.execute(env.db)
  expect(rows).toEqual([{ attempts: 1, command: null, soon: true }])
})

test('a machine whose deletion was taken and then failed is billed while it runs on, and deleted again', async () => {
  await fault('finishFailed', 'VirtualMachines_Delete', { code: 'InternalExecutionError', message: 'It failed.' })
  await holdSweep()
  const root = await env.as('superadmin', 'root@demo.test', null)
  expect((await root('DELETE', `/azure/killTraining?trainingName=${encodeURIComponent(training)}`)).status).toBe(200)
  worker = await env.worker()
  await taken()
  await worker.stop()
  // It fails, and nobody looks for minutes.
  await env.step(220)
  await sweep(env.parts.db, env.parts.cloud, 'states', AbortSignal.timeout(20_000))
  await releaseSweep()
  // Time goes on in strides below: a claim of seconds would end while its step is at work.
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

test('a stop whose reply was lost is not repeated because a look at it was refused', async () => {
  const stops = async () => {
    const { calls } = (await env.control('GET', '/_truth?part=calls')).body as { calls: Record<string, number> }
    return calls['VirtualMachines_Deallocate'] ?? 0
  }
  const before = await stops()
  await fault('loseReply', 'VirtualMachines_Deallocate')
  await fault('throttle', 'VirtualMachines_Get', { retryAfter: 2 })
  await holdSweep()
  await power(0)
  worker = await env.worker()
  await becomes('Stopped')
  await releaseSweep()
  // A reply that was lost told no instant: the command counts from its sending.
  expect(await differences(1)).toEqual([])
  expect((await stops()) - before).toBe(1)
})

test('a training that is deleted while a creation is on its way leaves nothing, however late that comes', async () => {
  const late = `Late ${number}`
  await env.control('POST', '/_faults', {
    kind: 'doneLate',
    operation: 'VirtualMachines_CreateOrUpdate',
    seconds: 40,
    times: 1,
  })
  worker = await env.worker()
  await admin('POST', '/azure/machines', order(late, ['late@acme.test']))
  const row = () =>
    env.db
      .selectFrom('machine')
      .innerJoin('training', 'training.id', 'machine.training_id')
      .select(['machine.id', 'command', 'command_accepted', 'attempts', 'terminated_at'])
      .where('training.name', '=', late)
      .executeTakeFirst()
  await until('it was sent, and no answer came', row, (found) => found?.command === 'create' && found.attempts > 0)
  const root = await env.as('superadmin', 'root@demo.test', null)
  expect((await root('DELETE', `/azure/killTraining?trainingName=${encodeURIComponent(late)}`)).status).toBe(200)
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
  // The creation has come by then, whatever was believed of it.
  await env.step(60)
  const existing = (await env.truth()).machines.filter(({ exists, tags }) => exists && tags['trainyard-machine'] === id)
  expect(existing).toEqual([])
})

test('a machine at work that the list lacks is not looked at by the sweep as well', async () => {
  const looks = async () => {
    const { calls } = (await env.control('GET', '/_truth?part=calls')).body as { calls: Record<string, number> }
    return calls['VirtualMachines_Get'] ?? 0
  }
  const sweepAll = async () => {
    const before = await looks()
    await sweep(env.parts.db, env.parts.cloud, 'everything', AbortSignal.timeout(20_000))
    return (await looks()) - before
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
