import { afterEach, describe, expect, test } from 'vitest'
import { watchContract } from '@trainyard/platform/test/azure-official/watch.ts'
import { BATCHED_READS, OPERATIONS_IN_USE } from '@trainyard/platform/test/azure-official/operations.ts'
import { specificationRoot } from '@trainyard/platform/test/azure-official/specification.ts'
import type { AzureListedMachine } from './azure-spec.ts'
import { machineSpec, WINDOWS } from '@trainyard/platform/test/emulated-azure.ts'
import { sharedEmulatedAzure } from '@trainyard/platform/test/shared.ts'

/** End-to-end scenarios of machines. Every message is checked against Azure's published contract. */

const watch = watchContract()

const azure = await sharedEmulatedAzure()
const cloud = azure.machines(watch.http)
afterEach(() => azure.clearFaults())

describe.each([
  ['Linux', machineSpec(1)],
  ['Windows', machineSpec(2, { ...WINDOWS, name: 'windows-101-2' })],
] as const)('a %s machine', (os, spec) => {
  test('is created with a tagged address, network interface and disk', async () => {
    const { at } = await cloud.createMachine(spec, signal())
    expect(at.getMilliseconds()).toBe(0)
    const truth = await azure.truth()
    expect(truth.machines.find(({ name }) => name === spec.name)).toMatchObject({
      power: 'running',
      tags: {
        'trainyard-machine': spec.id,
        'trainyard-training': spec.training,
        'trainyard-organisation': 'Acme Learning',
      },
    })
    expect(truth.addresses.find(({ name }) => name === `${spec.name}-ip`)?.tags['trainyard-machine']).toBe(spec.id)
    expect(truth.networkInterfaces.find(({ name }) => name === `${spec.name}-nic`)?.tags['trainyard-machine']).toBe(
      spec.id,
    )
    expect(truth.disks.map(({ name }) => name)).toContain(`${spec.name}-os`)
    const securityGroup = truth.securityGroups.find(({ name }) => name === spec.securityGroup)
    expect(securityGroup?.rules.map(({ name }) => name)).toEqual([os === 'Linux' ? 'trainyard-ssh' : 'trainyard-rdp'])
  })

  test('is observed as running, with its address', async () => {
    const { seen, address } = await cloud.getMachine(spec, signal())
    expect(seen).toEqual({ state: 'running', since: expect.any(Date) })
    expect(address).toMatch(/^\d+\.\d+\.\d+\.\d+$/)
  })

  test('is in the list of all machines and in the list of tagged machines', async () => {
    const tagged = await collected(cloud.listTaggedMachines(signal()))
    expect(tagged.find(({ id }) => id === spec.id)?.name).toBe(spec.name)
    const sighting = (await all()).find(({ name }) => name === spec.name)
    expect(sighting).toMatchObject({ name: spec.name, seen: { state: 'running' } })
    expect(sighting?.resourceGroup.toLowerCase()).toBe('acme-labs')
  })

  test('is deallocated and no longer billed from the returned time', async () => {
    const { at } = await cloud.stopMachine(spec, signal())
    expect((await cloud.getMachine(spec, signal())).seen).toMatchObject({ state: 'stopped' })
    const machine = (await azure.truth()).machines.find(({ name }) => name === spec.name)
    expect(machine?.power).toBe('deallocated')
    // A machine that is stopped in the second of its creation was never billed.
    for (const { to } of machine?.billed ?? []) expect(to).toBe(at.toISOString())
  })

  test('starts and restarts, and accepts repeats', async () => {
    await cloud.stopMachine(spec, signal())
    await cloud.startMachine(spec, signal())
    await cloud.startMachine(spec, signal())
    await cloud.restartMachine(spec, signal())
    expect((await cloud.getMachine(spec, signal())).seen).toMatchObject({ state: 'running' })
  })

  test('is not created again by a repeated creation', async () => {
    await cloud.createMachine(spec, signal())
    const { machines } = await azure.truth()
    expect(machines.filter(({ name }) => name === spec.name)).toHaveLength(1)
  })

  test('is observed as halted and billed after a shutdown from inside', async () => {
    await azure.changeOutside(spec.name, 'shutdown')
    expect((await cloud.getMachine(spec, signal())).seen).toEqual({ state: 'halted', since: null })
    await cloud.startMachine(spec, signal())
  })

  test('is deleted with all its parts, and a repeat finds nothing', async () => {
    await azure.delete(cloud, spec)
    expect(await azure.leftovers(spec.name)).toEqual([])
    expect((await cloud.getMachine(spec, signal())).seen).toEqual({ state: 'absent' })
    expect((await cloud.deleteMachine({ ...spec, firstSeenAt: null, isKnownToExist: false }, signal())).remaining).toBe(
      'nothing',
    )
    expect((await all()).map(({ name }) => name)).not.toContain(spec.name)
  })
})

describe('existing resources', () => {
  test('uses an existing group unchanged, in any region', async () => {
    const before = (await azure.truth()).resourceGroups
    await azure.machines(watch.http).createMachine(machineSpec(10), signal())
    expect((await azure.truth()).resourceGroups).toEqual(before)
    await azure.delete(cloud, machineSpec(10))
  })

  test('reports a machine that vanished as absent', async () => {
    const spec = machineSpec(11)
    await cloud.createMachine(spec, signal())
    await azure.changeOutside(spec.name, 'vanish')
    expect((await cloud.getMachine(spec, signal())).seen).toEqual({ state: 'absent' })
    await azure.delete(cloud, spec)
  })

  test('adds both login rules to a security group used by both kinds of machine', async () => {
    const linux = machineSpec(12, { securityGroup: 'mixed' })
    const windows = machineSpec(13, { ...WINDOWS, name: 'mixed-13', securityGroup: 'mixed' })
    await cloud.createMachine(linux, signal())
    await cloud.createMachine(windows, signal())
    const securityGroup = (await azure.truth()).securityGroups.find(({ name }) => name === 'mixed')
    expect(securityGroup?.rules.map(({ name }) => name).toSorted()).toEqual(['trainyard-rdp', 'trainyard-ssh'])
    await Promise.all([azure.delete(cloud, linux), azure.delete(cloud, windows)])
  })
})

test('creates and deletes an image of a stopped machine', async () => {
  const spec = machineSpec(14)
  const image = { ...spec, id: '0198c0de-0000-7000-8000-00000000e14a' }
  await cloud.createMachine(spec, signal())
  const account = { ...spec, username: 'trainee', password: 'Correct-Horse-8', passwordNumber: 1 }
  for (let time = 1; time <= 2; time++) expect(await cloud.setPassword(account, signal())).toBe('set')
  await cloud.stopMachine(spec, signal())
  for (let time = 1; time <= 2; time++) {
    expect(await cloud.captureMachine(image, signal())).toMatchObject({ state: 'ready' })
  }
  for (const remaining of ['something', 'something', 'nothing']) {
    expect((await cloud.deleteImage(image, signal())).remaining).toBe(remaining)
  }
  await azure.delete(cloud, spec)
})

describe('an incomplete machine', () => {
  test.each(['PublicIPAddresses_CreateOrUpdate', 'NetworkInterfaces_CreateOrUpdate', 'VirtualMachines_CreateOrUpdate'])(
    'is deleted with its leftovers after %s failed',
    async (operation) => {
      const spec = machineSpec(40)
      await azure.fault({ kind: 'serverError', operation })
      await expect(cloud.createMachine(spec, signal())).rejects.toMatchObject({ kind: 'unreachable' })
      await azure.delete(cloud, spec)
      expect(await azure.leftovers(spec.name)).toEqual([])
    },
  )

  test('is deleted with parts that Azure is configured to keep', async () => {
    const spec = machineSpec(42)
    const keeping = azure.machines((wire) => ({
      sendRequest(request) {
        if (typeof request.body === 'string') request.body = request.body.replaceAll('"Delete"', '"Detach"')
        return wire.sendRequest(request)
      },
    }))
    await keeping.createMachine(spec, signal())
    await azure.delete(cloud, spec)
    expect(await azure.leftovers(spec.name)).toEqual([])
  })

  test('reports why its provisioning failed, and is deleted', async () => {
    const spec = machineSpec(41)
    await azure.fault({
      kind: 'finishFailed',
      operation: 'VirtualMachines_CreateOrUpdate',
      code: 'AllocationFailed',
      message: 'No room.',
    })
    await cloud.createMachine(spec, signal())
    expect((await cloud.getMachine(spec, signal())).seen).toEqual({
      state: 'failed',
      reason: 'AllocationFailed: No room.',
      since: expect.any(Date),
    })
    await azure.delete(cloud, spec)
    expect(await azure.leftovers(spec.name)).toEqual([])
  })
})

test('opens and closes ports rule by rule, and deletes an unused group', async () => {
  const spec = machineSpec(70, { securityGroup: 'ports-of-70' })
  const place = { resourceGroup: spec.resourceGroup, name: spec.securityGroup }
  const ports = [8080, 8443].map((port, i) => ({ port, priority: 1001 + i }))
  // Sorted by name: the emulator orders rules created within one second differently.
  const rules = async () =>
    (await azure.truth()).securityGroups
      .find(({ name }) => name === place.name)
      ?.rules.toSorted((a, b) => a.name.localeCompare(b.name))
  const update = (wanted: typeof ports) => cloud.updateRules(place, { ports: wanted }, signal())
  expect(await update(ports)).toBe('absent')
  await cloud.createMachine(spec, signal())
  expect([await update(ports), await update(ports)]).toEqual(['changed', 'held'])
  expect([await update(ports.slice(1)), await update(ports.slice(1))]).toEqual(['changed', 'held'])
  expect(await rules()).toMatchObject([
    { name: 'trainyard-port-8443', priority: 1002, access: 'Allow', destinationPortRange: '8443' },
    { name: 'trainyard-ssh', priority: 900 },
  ])
  await expect(cloud.deleteSecurityGroup(place, signal())).rejects.toMatchObject({ kind: 'conflict' })
  await azure.delete(cloud, spec)
  expect((await cloud.deleteSecurityGroup(place, signal())).remaining).toBe('something')
  expect((await cloud.deleteSecurityGroup(place, signal())).remaining).toBe('nothing')
  expect(await rules()).toBeUndefined()
})

test('reports sizes, withheld sizes, limits, and unaccepted terms of a location', async () => {
  await azure.control('POST', '/_offers', { location: 'southindia', size: 'Standard_D8s_v4', offered: false })
  const { sizes, limits } = await cloud.getOffers('southindia', signal())
  const named = (name: string) => sizes.find(({ size }) => size === name)
  expect(named('Standard_D2s_v3')).toEqual({
    size: 'Standard_D2s_v3',
    family: 'standardDSv3Family',
    cores: 2,
    memoryMb: 8192,
    withheld: null,
  })
  expect(named('Standard_D8s_v4')).toMatchObject({ withheld: 'NotAvailableForSubscription' })
  expect(limits).toContainEqual(expect.objectContaining({ family: 'cores', allowed: 200_000 }))
  const plan = { publisher: 'nginx', product: 'nginx-plus', name: 'plus' }
  expect(await cloud.hasAcceptedTerms(plan, signal())).toBe(false)
})

test('reports no sizes in an unknown region', async () => {
  expect(await cloud.getOffers('marsnorth', signal())).toEqual({ sizes: [], limits: [] })
})

test.skipIf(specificationRoot() === null)(
  'sends only messages that fit the contract, and exactly the operations of the negative controls',
  async () => {
    const { operations } = await watch.settle()
    const together: readonly string[] = BATCHED_READS
    const individual = [...operations.keys()].filter((operation) => !together.includes(operation))
    expect(individual.toSorted()).toEqual([...OPERATIONS_IN_USE].toSorted())
  },
  120_000,
)

function signal(): AbortSignal {
  return AbortSignal.timeout(20_000)
}

const all = (): Promise<AzureListedMachine[]> => collected(cloud.listMachines(signal()))

async function collected<T>(list: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const one of list) found.push(one)
  return found
}
