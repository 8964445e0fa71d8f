import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { durationOf } from '../durations.ts'
import { startTestEmulator, type TestEmulator } from '@trainyard/platform/emulator/test/test-emulator.ts'
import {
  networkInterface,
  address,
  disk,
  recordedMachine,
  machine,
  machineBody,
  openLab,
  putMachine,
} from '@trainyard/platform/emulator/test/lab.ts'

let emulator: TestEmulator

beforeEach(async () => {
  emulator = await startTestEmulator({ latency: 1, clock: 'stepped' })
  await openLab(emulator)
})
afterEach(() => emulator.stop())

async function stateOf(name: string) {
  const { body } = await emulator.arm('GET', `${machine(name)}?$expand=instanceView`)
  return {
    state: body.properties.provisioningState as string,
    codes: body.properties.instanceView.statuses.map(({ code }: { code: string }) => code) as string[],
    since: body.properties.instanceView.statuses[0].time as string,
  }
}

async function nowAt(): Promise<string> {
  return (await emulator.control('GET', '/_clock')).body.now as string
}

/** Seconds, more than any operation here takes. */
const HOUR = 3600
const creation = durationOf('machineCreateLinux', 'one')

test('creates a machine in the recorded time and bills it from then on', async () => {
  const reply = await putMachine(emulator, 'one')
  expect(reply.status).toBe(201)
  expect(reply.body.properties.provisioningState).toBe('Creating')
  expect(reply.headers.get('azure-asyncoperation')).toMatch(/^https:\/\/management\.azure\.com\/subscriptions\//)
  const requested = await nowAt()
  expect(new Date(reply.headers.get('date') ?? '').toISOString()).toBe(requested)
  await emulator.advance(Math.floor(creation))
  expect(await stateOf('one')).toMatchObject({ state: 'Creating', codes: ['ProvisioningState/creating'] })
  await emulator.advance(100)
  const runs = new Date(new Date(requested).getTime() + Math.floor(creation) * 1000).toISOString()
  expect(await stateOf('one')).toEqual({
    state: 'Succeeded',
    codes: ['ProvisioningState/succeeded', 'PowerState/running'],
    since: runs,
  })
  expect(await recordedMachine(emulator, 'one')).toMatchObject({
    billed: [{ from: runs, to: null }],
    billedSeconds: 100,
  })
})

describe('running machines', () => {
  let since: string
  beforeEach(async () => {
    const requested = new Date((await putMachine(emulator, 'one')).headers.get('date') ?? '').getTime()
    since = new Date(requested + Math.floor(creation) * 1000).toISOString()
    await emulator.advance(HOUR)
  })

  test('bills a machine until its deallocation begins, and again from its next start', async () => {
    const requested = await nowAt()
    const stop = await emulator.arm('POST', `${machine('one')}/deallocate`)
    expect(stop.status).toBe(202)
    expect(await stateOf('one')).toMatchObject({
      state: 'Updating',
      codes: ['ProvisioningState/updating', 'PowerState/deallocating'],
    })
    await emulator.advance(HOUR)
    expect((await stateOf('one')).codes).toContain('PowerState/deallocated')
    const started = await nowAt()
    await emulator.arm('POST', `${machine('one')}/start`)
    expect((await stateOf('one')).codes).toContain('PowerState/starting')
    await emulator.advance(HOUR)
    expect((await stateOf('one')).codes).toContain('PowerState/running')
    expect(await recordedMachine(emulator, 'one')).toMatchObject({
      billed: [
        { from: since, to: requested },
        { from: started, to: null },
      ],
      billedSeconds: HOUR - Math.floor(creation) + HOUR,
    })
  })

  test('keeps billing after a power off and after a shutdown from inside', async () => {
    await emulator.arm('POST', `${machine('one')}/powerOff`)
    await emulator.advance(HOUR)
    expect((await stateOf('one')).codes).toContain('PowerState/stopped')
    await emulator.arm('POST', `${machine('one')}/start`)
    await emulator.advance(HOUR)
    await emulator.control('POST', '/_machines/one/shutdown')
    expect((await stateOf('one')).codes).toContain('PowerState/stopped')
    expect((await recordedMachine(emulator, 'one')).billed).toEqual([{ from: since, to: null }])
  })

  test('keeps power and billing over a restart', async () => {
    await emulator.arm('POST', `${machine('one')}/restart`)
    expect(await stateOf('one')).toMatchObject({ state: 'Updating' })
    await emulator.advance(HOUR)
    expect(await stateOf('one')).toMatchObject({ state: 'Succeeded' })
    expect((await recordedMachine(emulator, 'one')).billed).toEqual([{ from: since, to: null }])
  })

  test('refuses to restart a deallocated machine', async () => {
    await emulator.arm('POST', `${machine('one')}/deallocate`)
    await emulator.advance(HOUR)
    const reply = await emulator.arm('POST', `${machine('one')}/restart`)
    expect([reply.status, reply.body.error.code]).toEqual([409, 'OperationNotAllowed'])
  })

  test('joins a repeated command to the one in progress and refuses another command', async () => {
    const first = await emulator.arm('POST', `${machine('one')}/deallocate`)
    const again = await emulator.arm('POST', `${machine('one')}/deallocate`)
    expect(again.headers.get('azure-asyncoperation')).toBe(first.headers.get('azure-asyncoperation'))
    const start = await emulator.arm('POST', `${machine('one')}/start`)
    expect([start.status, start.body.error.code]).toEqual([409, 'Conflict'])
  })

  test('lets a deallocation replace a start in progress', async () => {
    await emulator.arm('POST', `${machine('one')}/deallocate`)
    await emulator.advance(HOUR)
    const start = await emulator.arm('POST', `${machine('one')}/start`)
    await emulator.advance(5)
    expect((await emulator.arm('POST', `${machine('one')}/deallocate`)).status).toBe(202)
    const status = await emulator.follow(start.headers.get('azure-asyncoperation'))
    expect(status.body).toMatchObject({ status: 'Canceled', error: { code: 'OperationPreempted' } })
    await emulator.advance(HOUR)
    expect((await stateOf('one')).codes).toContain('PowerState/deallocated')
    expect((await recordedMachine(emulator, 'one')).billed.at(-1)).toMatchObject({ to: expect.any(String) })
  })

  test('accepts a repeated PUT without changes and is updating for a while', async () => {
    const again = await emulator.arm('PUT', machine('one'), machineBody('one'))
    expect([again.status, again.body.properties.provisioningState]).toEqual([200, 'Updating'])
    await emulator.advance(5)
    expect((await emulator.follow(again.headers.get('azure-asyncoperation'))).body.status).toBe('Succeeded')
    expect(await stateOf('one')).toMatchObject({ state: 'Succeeded' })
    expect((await recordedMachine(emulator, 'one')).powerHistory).toHaveLength(2)
  })

  test('deletes resources with the delete option and stops billing when the delete begins', async () => {
    const requested = await nowAt()
    const reply = await emulator.arm('DELETE', machine('one'))
    expect(reply.status).toBe(202)
    expect(reply.headers.get('location')).toContain('https://management.azure.com/')
    await emulator.advance(Math.floor(durationOf('machineDelete', 'one')))
    expect(await stateOf('one')).toMatchObject({ state: 'Deleting', codes: ['ProvisioningState/deleting'] })
    await emulator.advance(1)
    for (const deletedResource of [machine('one'), networkInterface('one'), address('one'), disk('one-os')]) {
      expect((await emulator.arm('GET', deletedResource)).status).toBe(404)
    }
    expect(await recordedMachine(emulator, 'one')).toMatchObject({
      exists: false,
      billed: [{ from: since, to: requested }],
    })
    expect((await emulator.arm('DELETE', machine('one'))).status).toBe(204)
  })

  test('deletes resources of a vanished machine and stops its billing', async () => {
    const deletedAt = await nowAt()
    await emulator.control('POST', '/_machines/one/vanish')
    expect((await emulator.arm('GET', machine('one'))).status).toBe(404)
    expect((await emulator.arm('GET', networkInterface('one'))).status).toBe(404)
    expect((await recordedMachine(emulator, 'one')).billed).toEqual([{ from: since, to: deletedAt }])
  })

  test('lets another party deallocate and start a machine', async () => {
    await emulator.control('POST', '/_machines/one/deallocate')
    expect((await stateOf('one')).codes).toContain('PowerState/deallocated')
    await emulator.control('POST', '/_machines/one/start')
    expect((await stateOf('one')).codes).toContain('PowerState/running')
  })
})

test('keeps the disk, the network interface and the address without the delete option', async () => {
  await putMachine(emulator, 'two', machineBody('two', 'Detach'))
  await emulator.advance(HOUR)
  await emulator.arm('DELETE', machine('two'))
  await emulator.advance(HOUR)
  for (const remaining of [networkInterface('two'), address('two'), disk('two-os')]) {
    expect((await emulator.arm('GET', remaining)).status).toBe(200)
  }
  expect((await emulator.arm('GET', disk('two-os'))).body.properties.diskState).toBe('Unattached')
})

test('lets a delete replace a creation in progress', async () => {
  await putMachine(emulator, 'three')
  await emulator.advance(10)
  expect((await emulator.arm('DELETE', machine('three'))).status).toBe(202)
  await emulator.advance(HOUR)
  expect(await recordedMachine(emulator, 'three')).toMatchObject({ exists: false, billed: [] })
})

test('deletes a group with all its resources', async () => {
  await putMachine(emulator, 'four')
  await emulator.advance(HOUR)
  const reply = await emulator.arm('DELETE', machine('four').split('/providers/')[0] ?? '')
  expect(reply.status).toBe(202)
  const refused = await emulator.arm('PUT', address('late'), { location: 'southindia', sku: { name: 'Standard' } })
  expect([refused.status, refused.body.error.code]).toEqual([409, 'ResourceGroupBeingDeleted'])
  const pollUrl = reply.headers.get('location')
  expect((await emulator.follow(pollUrl)).status).toBe(202)
  await emulator.advance(HOUR)
  expect((await emulator.follow(pollUrl)).status).toBe(200)
  const { body } = await emulator.control('GET', '/_truth')
  expect([body.resourceGroups, body.networks, body.addresses, body.networkInterfaces, body.disks]).toEqual(
    Array.from({ length: 5 }, () => []),
  )
  expect(await recordedMachine(emulator, 'four')).toMatchObject({ exists: false })
})
