/** @module-tag full */
import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import type { Machine } from '../../contract/machine.ts'
import type { CapturedImage } from '../../contract/image.ts'
import { brokenInvariants } from '@trainyard/platform/server/invariants/check.ts'
import { machineDifferences } from '../compare-machines.ts'
import { machinesOf, order } from '@trainyard/platform/test/orders.ts'
import type { Caller } from '@trainyard/platform/test/caller.ts'
import { until } from '@trainyard/platform/test/until.ts'
import { captureImage } from './jobs.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'

const env = await sharedEnvironment()
const acme = await env.organisation('Acme')
const other = await env.organisation('Other School')
const admin = await env.signIn('admin', 'admin@acme.test', acme)
const foreign = await env.signIn('admin', 'admin@other.test', other)
const learner = await env.signIn('user', 'learner@acme.test', acme)
const superadmin = await env.signIn('superadmin', 'super@portal.test', null)
await env.worker()
afterEach(async () => {
  await env.control('DELETE', '/_faults')
})

const capture = (as: Caller, vm: string) => as('POST', '/admin/capture', { vm })
const images = async () => (await superadmin('GET', '/admin/images')).body.images as CapturedImage[]
const imageOf = async (vm: string) => (await images()).find(({ machine }) => machine === vm)!
const settled = (vm: string) =>
  until(
    `the image of ${vm} is settled`,
    () => imageOf(vm),
    ({ status }) => status !== 'In progress',
    30_000,
  )
const machineNamed = async (training: string, vm: string) =>
  (await machinesOf(admin, training)).find(({ name }) => name === vm)!
const waitForStatus = (training: string, status: Machine['status']) =>
  until(
    `${training} is ${status}`,
    () => machinesOf(admin, training),
    (list) => list.length > 0 && list.every((machine) => machine.status === status),
    30_000,
  )
const power = (machine: Machine, operation: 0 | 1) =>
  admin('PATCH', '/azure/machines', [{ operation }, { name: machine.name, resourceGroup: machine.resourceGroup }])
const signIn = async (vm: string, password: string) =>
  (await env.control('POST', `/_machines/${vm}/sign-in`, { username: 'learner', password })).body.accepted as boolean

async function stopped(training: string): Promise<Machine> {
  expect((await admin('POST', '/azure/machines', order(training, ['learner@acme.test']))).status).toBe(200)
  const [machine] = await waitForStatus(training, 'Running')
  expect((await power(machine!, 0)).status).toBe(200)
  await waitForStatus(training, 'Stopped')
  return machine!
}

const template = (name: string, imageId: string, overrides: object = {}) => ({
  name,
  rate: 10,
  resourceGroup: 'labs',
  vmSize: 'Standard_DS1_v2',
  imageId,
  location: 'southindia',
  os: 'Linux',
  vnet: 'labs-net',
  licence: 'none',
  isOfficial: false,
  cpu: '1',
  memory: '1',
  storage: '1',
  disk: '1',
  ...overrides,
})

test('only admins can capture a machine, and only a stopped machine of their organisation', async () => {
  expect((await admin('POST', '/azure/machines', order('Running', ['learner@acme.test']))).status).toBe(200)
  const [machine] = await waitForStatus('Running', 'Running')
  const duringCapture = await capture(admin, machine!.name)
  expect([duringCapture.status, duringCapture.body.message]).toEqual([
    409,
    `Stop ${machine!.name} first. An image can be created only from a stopped machine.`,
  ])
  expect((await capture(learner, machine!.name)).status).toBe(403)
  const [foreignCapture, missingCapture] = [await capture(foreign, machine!.name), await capture(foreign, 'nowhere-1')]
  expect([foreignCapture.status, foreignCapture.body.message]).toEqual([
    missingCapture.status,
    missingCapture.body.message,
  ])
  expect(missingCapture.status).toBe(404)
  expect(await images()).toEqual([])
})

test('only its organisation can use a template of the image; each machine from it gets its own password', async () => {
  const source = await stopped('Source')
  const both = await Promise.all([capture(admin, source.name), capture(superadmin, source.name)])
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  expect(both.find(({ status }) => status === 200)?.body.message).toBe('Creation of Image in Progress')
  expect((await power(source, 1)).body.message).toContain('Try again when the image is ready.')
  const image = await settled(source.name)
  expect(image).toMatchObject({ status: 'Ready', progress: 100, reason: null, organization: 'Acme', os: 'Linux' })
  const { operations } = (await admin('GET', `/azure/operations?vmName=${source.name}`)).body
  const ended = { kind: 'capture', endedAt: expect.any(String), closed: true, reason: null }
  expect(operations).toContainEqual(expect.objectContaining(ended))
  expect(await images()).toHaveLength(1)

  const send = (path: string, body: object) => superadmin('POST', path, body)
  expect((await send('/admin/template', template('Wrong', image.imageId!, { os: 'Windows' }))).status).toBe(409)
  expect((await send('/admin/template', template('Copy', image.imageId!))).status).toBe(200)
  const misplaced = await send('/admin/assignTemplate', { organization: 'Other School', template: 'Copy' })
  expect([misplaced.status, misplaced.body.message]).toEqual([
    409,
    'Copy uses an image of a machine of Acme, so it can be assigned only to Acme.',
  ])
  expect((await send('/admin/assignTemplate', { organization: 'Acme', template: 'Copy' })).status).toBe(200)
  // Even an assigned template counts as not found.
  await sql`insert into template_assignment (organisation_id, template_id)
    select o.id, t.id from organisation o, template t where o.name = 'Other School' and t.name = 'Copy'`.execute(env.db)
  const rejected = await foreign(
    'POST',
    '/azure/machines',
    order('Rejected', ['x@other.test'], { templateName: 'Copy' }),
  )
  expect([rejected.status, rejected.body.message]).toEqual([404, 'There is no such template.'])

  const people = ['a@acme.test', 'b@acme.test']
  expect((await admin('POST', '/azure/machines', order('Copies', people, { templateName: 'Copy' }))).status).toBe(200)
  const creating = await machinesOf(admin, 'Copies')
  expect(creating.map(({ status, adminPass, publicIp }) => [status, adminPass, publicIp])).toEqual(
    people.map(() => ['Creating', null, null]),
  )
  const clones = await waitForStatus('Copies', 'Running')
  expect((await power(source, 1)).status).toBe(200)
  const [awake] = await waitForStatus('Source', 'Running')
  const all = [awake!, ...clones]
  expect(new Set(all.map(({ adminPass }) => adminPass)).size).toBe(3)
  for (const machine of all) {
    for (const target of all) expect(await signIn(machine.name, target.adminPass!)).toBe(machine === target)
  }
  const record = await env.control('GET', '/_truth')
  for (const { adminPass } of all) expect(JSON.stringify(record.body)).not.toContain(adminPass)
})

test('denies access to a machine that still has the password of its image', { tags: ['storm'] }, async () => {
  await env.control('POST', '/_faults', { operation: 'VirtualMachineExtensions_CreateOrUpdate', kind: 'serverError' })
  const orderBlocked = order('Blocked', ['c@acme.test'], { templateName: 'Copy' })
  expect((await admin('POST', '/azure/machines', orderBlocked)).status).toBe(200)
  const [blocked] = await waitForStatus('Blocked', 'Failing')
  expect(blocked).toMatchObject({ isRunning: false, adminPass: null, publicIp: null })
  expect(blocked!.statusReason).toContain('set the password')
  await env.control('DELETE', '/_faults')
  const [free] = await waitForStatus('Blocked', 'Running')
  expect(await signIn(free!.name, free!.adminPass!)).toBe(true)
})

test('after a kill between any two steps the next worker continues and creates one image only', async () => {
  const source = await stopped('Killed')
  const steps = [
    'Galleries_Get',
    'GalleryImages_CreateOrUpdate',
    'GalleryImages_Get',
    'GalleryImageVersions_CreateOrUpdate',
  ]
  for (const operation of steps) await env.control('POST', '/_faults', { operation, kind: 'loseReply', times: 1 })
  expect((await capture(admin, source.name)).status).toBe(200)
  // Several workers process the job concurrently. This happens if a worker only seemed dead.
  const { id } = await env.db
    .selectFrom('image')
    .innerJoin('machine', 'machine.id', 'image.machine_id')
    .select('image.id')
    .where('machine.name', '=', source.name)
    .executeTakeFirstOrThrow()
  const work = captureImage({ db: env.parts.db, clouds: env.parts.clouds })
  await Promise.allSettled([1, 2, 3].map(() => work({ image: id }, AbortSignal.timeout(20_000))))
  expect((await settled(source.name)).status).toBe('Ready')
  await work({ image: id }, AbortSignal.timeout(20_000))
  const { body } = await env.control('GET', '/_truth?part=imageVersions')
  const versions = body.imageVersions as { tags: Record<string, string> }[]
  expect(versions.filter(({ tags }) => tags['trainyard-image'] === id)).toHaveLength(1)
  expect((await power(source, 1)).status).toBe(200)
  await waitForStatus('Killed', 'Running')
})

test(
  'a failed copy reports the reason, leaves nothing behind and releases the machine',
  { tags: ['storm'] },
  async () => {
    const source = await stopped('Failing copy')
    const before = (await env.control('GET', '/_truth?part=imageVersions,imageDefinitions')).body
    const fault = { operation: 'GalleryImageVersions_CreateOrUpdate', kind: 'finishFailed', times: 1 }
    await env.control('POST', '/_faults', { ...fault, code: 'DiskError', message: 'The disk could not be read.' })
    expect((await capture(admin, source.name)).status).toBe(200)
    expect(await settled(source.name)).toMatchObject({
      status: 'Failed',
      reason: 'DiskError: The disk could not be read.',
    })
    await until(
      'its remains are deleted',
      async () => (await env.control('GET', '/_truth?part=imageVersions,imageDefinitions')).body,
      (now) =>
        now.imageVersions.length === before.imageVersions.length &&
        now.imageDefinitions.length === before.imageDefinitions.length,
    )
    expect((await machineNamed('Failing copy', source.name)).capturing).toBe(false)
  },
)

test('deletes a machine after its image is ready if the machine must be deleted', { tags: ['storm'] }, async () => {
  const source = await stopped('Deleted')
  await env.control('POST', '/_faults', { operation: 'GalleryImageVersions_Get', kind: 'throttle', times: 1 })
  expect((await capture(admin, source.name)).status).toBe(200)
  expect((await superadmin('DELETE', '/azure/killTraining?trainingName=Deleted')).status).toBe(200)
  expect(await machineNamed('Deleted', source.name)).toMatchObject({ status: 'Deleting', capturing: true })
  expect((await settled(source.name)).status).toBe('Ready')
  await waitForStatus('Deleted', 'Terminated')
})

test('rows and the provider agree in the end', async () => {
  await until(
    'rows and provider agree in the end',
    () => brokenInvariants(env.db, { quiet: true }),
    (broken) => broken.length === 0,
  )
  expect(env.bugs).toEqual([])
  expect(await machineDifferences(env.db, (await env.truth()) as never)).toEqual([])
})
