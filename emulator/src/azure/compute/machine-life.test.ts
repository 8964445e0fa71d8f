import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { durationOf } from '#src/azure/durations.ts'
import { startFarEnd, type FarEnd } from '#test/far-end.ts'
import { networkInterface, address, disk, lifeOf, machine, machineBody, openLab, putMachine } from '#test/lab.ts'

let farEnd: FarEnd

beforeEach(async () => {
  farEnd = await startFarEnd({ latency: 1, clock: 'stepped' })
  await openLab(farEnd)
})
afterEach(() => farEnd.stop())

async function look(name: string) {
  const { body } = await farEnd.arm('GET', `${machine(name)}?$expand=instanceView`)
  return {
    state: body.properties.provisioningState as string,
    codes: body.properties.instanceView.statuses.map(({ code }: { code: string }) => code) as string[],
    since: body.properties.instanceView.statuses[0].time as string,
  }
}

async function nowAt(): Promise<string> {
  return (await farEnd.control('GET', '/_clock')).body.now as string
}

/** Longer than anything here takes. */
const long = 3600
const creation = durationOf('machineCreateLinux', 'one')

test('a machine is creating for as long as recorded and billed from then on', async () => {
  const reply = await putMachine(farEnd, 'one')
  expect(reply.status).toBe(201)
  expect(reply.body.properties.provisioningState).toBe('Creating')
  expect(reply.headers.get('azure-asyncoperation')).toMatch(/^https:\/\/management\.azure\.com\/subscriptions\//)
  const asked = await nowAt()
  expect(new Date(reply.headers.get('date') ?? '').toISOString()).toBe(asked)
  await farEnd.advance(Math.floor(creation))
  expect(await look('one')).toMatchObject({ state: 'Creating', codes: ['ProvisioningState/creating'] })
  await farEnd.advance(100)
  const runs = new Date(new Date(asked).getTime() + Math.floor(creation) * 1000).toISOString()
  expect(await look('one')).toEqual({
    state: 'Succeeded',
    codes: ['ProvisioningState/succeeded', 'PowerState/running'],
    since: runs,
  })
  expect(await lifeOf(farEnd, 'one')).toMatchObject({ billed: [{ from: runs, to: null }], billedSeconds: 100 })
})

describe('once it runs', () => {
  let since: string
  beforeEach(async () => {
    const asked = new Date((await putMachine(farEnd, 'one')).headers.get('date') ?? '').getTime()
    since = new Date(asked + Math.floor(creation) * 1000).toISOString()
    await farEnd.advance(long)
  })

  test('it is billed until the deallocation begins, and again from the start', async () => {
    const asked = await nowAt()
    const stop = await farEnd.arm('POST', `${machine('one')}/deallocate`)
    expect(stop.status).toBe(202)
    expect(await look('one')).toMatchObject({
      state: 'Updating',
      codes: ['ProvisioningState/updating', 'PowerState/deallocating'],
    })
    await farEnd.advance(long)
    expect((await look('one')).codes).toContain('PowerState/deallocated')
    const started = await nowAt()
    await farEnd.arm('POST', `${machine('one')}/start`)
    expect((await look('one')).codes).toContain('PowerState/starting')
    await farEnd.advance(long)
    expect((await look('one')).codes).toContain('PowerState/running')
    expect(await lifeOf(farEnd, 'one')).toMatchObject({
      billed: [
        { from: since, to: asked },
        { from: started, to: null },
      ],
      billedSeconds: long - Math.floor(creation) + long,
    })
  })

  test('a power off leaves it billed, and so does a shutdown from inside', async () => {
    await farEnd.arm('POST', `${machine('one')}/powerOff`)
    await farEnd.advance(long)
    expect((await look('one')).codes).toContain('PowerState/stopped')
    await farEnd.arm('POST', `${machine('one')}/start`)
    await farEnd.advance(long)
    await farEnd.control('POST', '/_machines/one/shutdown')
    expect((await look('one')).codes).toContain('PowerState/stopped')
    expect((await lifeOf(farEnd, 'one')).billed).toEqual([{ from: since, to: null }])
  })

  test('a restart keeps its power and its bill', async () => {
    await farEnd.arm('POST', `${machine('one')}/restart`)
    expect(await look('one')).toMatchObject({ state: 'Updating' })
    await farEnd.advance(long)
    expect(await look('one')).toMatchObject({ state: 'Succeeded' })
    expect((await lifeOf(farEnd, 'one')).billed).toEqual([{ from: since, to: null }])
  })

  test('a deallocated machine is not restarted', async () => {
    await farEnd.arm('POST', `${machine('one')}/deallocate`)
    await farEnd.advance(long)
    const reply = await farEnd.arm('POST', `${machine('one')}/restart`)
    expect([reply.status, reply.body.error.code]).toEqual([409, 'OperationNotAllowed'])
  })

  test('the same command again joins the one at work; another one has to wait', async () => {
    const first = await farEnd.arm('POST', `${machine('one')}/deallocate`)
    const again = await farEnd.arm('POST', `${machine('one')}/deallocate`)
    expect(again.headers.get('azure-asyncoperation')).toBe(first.headers.get('azure-asyncoperation'))
    const start = await farEnd.arm('POST', `${machine('one')}/start`)
    expect([start.status, start.body.error.code]).toEqual([409, 'Conflict'])
  })

  test('a deallocation takes over from a start that is at work', async () => {
    await farEnd.arm('POST', `${machine('one')}/deallocate`)
    await farEnd.advance(long)
    const start = await farEnd.arm('POST', `${machine('one')}/start`)
    await farEnd.advance(5)
    expect((await farEnd.arm('POST', `${machine('one')}/deallocate`)).status).toBe(202)
    const status = await farEnd.follow(start.headers.get('azure-asyncoperation'))
    expect(status.body).toMatchObject({ status: 'Canceled', error: { code: 'OperationPreempted' } })
    await farEnd.advance(long)
    expect((await look('one')).codes).toContain('PowerState/deallocated')
    expect((await lifeOf(farEnd, 'one')).billed.at(-1)).toMatchObject({ to: expect.any(String) })
  })

  test('the same PUT again finds the machine as it is, and is work for a while', async () => {
    const again = await farEnd.arm('PUT', machine('one'), machineBody('one'))
    expect([again.status, again.body.properties.provisioningState]).toEqual([200, 'Updating'])
    await farEnd.advance(5)
    expect((await farEnd.follow(again.headers.get('azure-asyncoperation'))).body.status).toBe('Succeeded')
    expect(await look('one')).toMatchObject({ state: 'Succeeded' })
    expect((await lifeOf(farEnd, 'one')).powerHistory).toHaveLength(2)
  })

  test('a delete takes what carries the delete option, and the bill ends when it begins', async () => {
    const asked = await nowAt()
    const reply = await farEnd.arm('DELETE', machine('one'))
    expect(reply.status).toBe(202)
    expect(reply.headers.get('location')).toContain('https://management.azure.com/')
    await farEnd.advance(Math.floor(durationOf('machineDelete', 'one')))
    expect(await look('one')).toMatchObject({ state: 'Deleting', codes: ['ProvisioningState/deleting'] })
    await farEnd.advance(1)
    for (const gone of [machine('one'), networkInterface('one'), address('one'), disk('one-os')]) {
      expect((await farEnd.arm('GET', gone)).status).toBe(404)
    }
    expect(await lifeOf(farEnd, 'one')).toMatchObject({ exists: false, billed: [{ from: since, to: asked }] })
    expect((await farEnd.arm('DELETE', machine('one'))).status).toBe(204)
  })

  test('one that vanishes takes what it brought, and its bill ends', async () => {
    const gone = await nowAt()
    await farEnd.control('POST', '/_machines/one/vanish')
    expect((await farEnd.arm('GET', machine('one'))).status).toBe(404)
    expect((await farEnd.arm('GET', networkInterface('one'))).status).toBe(404)
    expect((await lifeOf(farEnd, 'one')).billed).toEqual([{ from: since, to: gone }])
  })

  test('somebody else may deallocate and start it', async () => {
    await farEnd.control('POST', '/_machines/one/deallocate')
    expect((await look('one')).codes).toContain('PowerState/deallocated')
    await farEnd.control('POST', '/_machines/one/start')
    expect((await look('one')).codes).toContain('PowerState/running')
  })
})

test('without the delete option the disk, the network interface and the address stay behind', async () => {
  await putMachine(farEnd, 'two', machineBody('two', 'Detach'))
  await farEnd.advance(long)
  await farEnd.arm('DELETE', machine('two'))
  await farEnd.advance(long)
  for (const left of [networkInterface('two'), address('two'), disk('two-os')]) {
    expect((await farEnd.arm('GET', left)).status).toBe(200)
  }
  expect((await farEnd.arm('GET', disk('two-os'))).body.properties.diskState).toBe('Unattached')
})

test('a delete goes before a creation that is at work', async () => {
  await putMachine(farEnd, 'three')
  await farEnd.advance(10)
  expect((await farEnd.arm('DELETE', machine('three'))).status).toBe(202)
  await farEnd.advance(long)
  expect(await lifeOf(farEnd, 'three')).toMatchObject({ exists: false, billed: [] })
})

test('a group goes with everything inside it', async () => {
  await putMachine(farEnd, 'four')
  await farEnd.advance(long)
  const reply = await farEnd.arm('DELETE', machine('four').split('/providers/')[0] ?? '')
  expect(reply.status).toBe(202)
  const refused = await farEnd.arm('PUT', address('late'), { location: 'southindia', sku: { name: 'Standard' } })
  expect([refused.status, refused.body.error.code]).toEqual([409, 'ResourceGroupBeingDeleted'])
  const where = reply.headers.get('location')
  expect((await farEnd.follow(where)).status).toBe(202)
  await farEnd.advance(long)
  expect((await farEnd.follow(where)).status).toBe(200)
  const { body } = await farEnd.control('GET', '/_truth')
  expect([body.resourceGroups, body.networks, body.addresses, body.networkInterfaces, body.disks]).toEqual(
    Array.from({ length: 5 }, () => []),
  )
  expect(await lifeOf(farEnd, 'four')).toMatchObject({ exists: false })
})
