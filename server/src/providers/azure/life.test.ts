import { afterEach, describe, expect, test } from 'vitest'
import { watchContract } from '../../../test/azure-official/watch.ts'
import { LOOKS_TOGETHER, OPERATIONS_IN_USE } from '../../../test/azure-official/operations.ts'
import { specificationRoot } from '../../../test/azure-official/specification.ts'
import type { PlacedSighting } from '../cloud.ts'
import { machineSpec, WINDOWS } from '#test/far-end.ts'
import { sharedFarEnd } from '#test/shared.ts'

/** Whole lives of machines at the emulator, and what is left of half-made ones, every message judged by Azure's published contract. */

const watch = watchContract()

const far = await sharedFarEnd()
const cloud = far.cloud(watch.http)
afterEach(() => far.clearFaults())

describe.each([
  ['Linux', machineSpec(1)],
  ['Windows', machineSpec(2, { ...WINDOWS, name: 'windows-101-2' })],
] as const)('a %s machine', (os, spec) => {
  test('is made with an address, a network interface and a disk that carry our tags', async () => {
    const { at } = await cloud.createMachine(spec, signal())
    expect(at.getMilliseconds()).toBe(0)
    const truth = await far.truth()
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

  test('is seen running, with its address', async () => {
    const { seen, publicAddress } = await cloud.lookAtMachine(spec, signal())
    expect(seen).toEqual({ state: 'running', since: expect.any(Date) })
    expect(publicAddress).toMatch(/^\d+\.\d+\.\d+\.\d+$/)
  })

  test('is in the list of all by its place, and in the list of what is ours by its tag', async () => {
    const tagged = await collected(cloud.taggedMachines(signal()))
    expect(tagged.find(({ id }) => id === spec.id)?.name).toBe(spec.name)
    const sighting = (await all()).find(({ name }) => name === spec.name)
    expect(sighting).toMatchObject({ name: spec.name, seen: { state: 'running' } })
    expect(sighting?.resourceGroup.toLowerCase()).toBe('acme-labs')
  })

  test('stops so that it is no longer billed, from the instant that we are told', async () => {
    const { at } = await cloud.stopMachine(spec, signal())
    expect((await cloud.lookAtMachine(spec, signal())).seen).toMatchObject({ state: 'stopped' })
    const machine = (await far.truth()).machines.find(({ name }) => name === spec.name)
    expect(machine?.power).toBe('deallocated')
    // A machine stopped within the second in which it was made was never billed.
    for (const { to } of machine?.billed ?? []) expect(to).toBe(at.toISOString())
  })

  test('starts, restarts, and takes repeats of each', async () => {
    await cloud.stopMachine(spec, signal())
    await cloud.startMachine(spec, signal())
    await cloud.startMachine(spec, signal())
    await cloud.restartMachine(spec, signal())
    expect((await cloud.lookAtMachine(spec, signal())).seen).toMatchObject({ state: 'running' })
  })

  test('is found, not made again, by a repeat of the order', async () => {
    await cloud.createMachine(spec, signal())
    const { machines } = await far.truth()
    expect(machines.filter(({ name }) => name === spec.name)).toHaveLength(1)
  })

  test('shut down from inside is billed on, and seen so', async () => {
    await far.behindOurBack(spec.name, 'shutdown')
    expect((await cloud.lookAtMachine(spec, signal())).seen).toEqual({ state: 'halted', since: null })
    await cloud.startMachine(spec, signal())
  })

  test('goes with all that it brought, and a repeat finds nothing', async () => {
    await far.delete(cloud, spec)
    expect(await far.leftovers(spec.name)).toEqual([])
    expect((await cloud.lookAtMachine(spec, signal())).seen).toEqual({ state: 'absent' })
    expect((await cloud.deleteMachine({ ...spec, firstSeenAt: null, stands: false }, signal())).remaining).toBe(
      'nothing',
    )
    expect((await all()).map(({ name }) => name)).not.toContain(spec.name)
  })
})

describe('an existing resource', () => {
  test('a group is taken as it is, in any region, and never replaced', async () => {
    const before = (await far.truth()).resourceGroups
    await far.cloud(watch.http).createMachine(machineSpec(10), signal())
    expect((await far.truth()).resourceGroups).toEqual(before)
    await far.delete(cloud, machineSpec(10))
  })

  test('a machine that vanished is absent', async () => {
    const spec = machineSpec(11)
    await cloud.createMachine(spec, signal())
    await far.behindOurBack(spec.name, 'vanish')
    expect((await cloud.lookAtMachine(spec, signal())).seen).toEqual({ state: 'absent' })
    await far.delete(cloud, spec)
  })

  test('one security group gets both login rules when its training has both kinds of machine', async () => {
    const linux = machineSpec(12, { securityGroup: 'mixed' })
    const windows = machineSpec(13, { ...WINDOWS, name: 'mixed-13', securityGroup: 'mixed' })
    await cloud.createMachine(linux, signal())
    await cloud.createMachine(windows, signal())
    const securityGroup = (await far.truth()).securityGroups.find(({ name }) => name === 'mixed')
    expect(securityGroup?.rules.map(({ name }) => name).toSorted()).toEqual(['trainyard-rdp', 'trainyard-ssh'])
    await Promise.all([far.delete(cloud, linux), far.delete(cloud, windows)])
  })
})

test('an image of a stopped machine is made, and done away with', async () => {
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
    expect((await cloud.discardImage(image, signal())).remaining).toBe(remaining)
  }
  await far.delete(cloud, spec)
})

describe('a half-made machine', () => {
  test.each(['PublicIPAddresses_CreateOrUpdate', 'NetworkInterfaces_CreateOrUpdate', 'VirtualMachines_CreateOrUpdate'])(
    'that %s ended is removed with its leftovers',
    async (operation) => {
      const spec = machineSpec(40)
      await far.fault({ kind: 'serverError', operation })
      await expect(cloud.createMachine(spec, signal())).rejects.toMatchObject({ kind: 'unreachable' })
      await far.delete(cloud, spec)
      expect(await far.leftovers(spec.name)).toEqual([])
    },
  )

  test('with parts that Azure was told to keep is removed with them', async () => {
    const spec = machineSpec(42)
    const keeping = far.cloud((wire) => ({
      sendRequest(request) {
        if (typeof request.body === 'string') request.body = request.body.replaceAll('"Delete"', '"Detach"')
        return wire.sendRequest(request)
      },
    }))
    await keeping.createMachine(spec, signal())
    await far.delete(cloud, spec)
    expect(await far.leftovers(spec.name)).toEqual([])
  })

  test('with failed provisioning says why, and is removed', async () => {
    const spec = machineSpec(41)
    await far.fault({
      kind: 'finishFailed',
      operation: 'VirtualMachines_CreateOrUpdate',
      code: 'AllocationFailed',
      message: 'No room.',
    })
    await cloud.createMachine(spec, signal())
    expect((await cloud.lookAtMachine(spec, signal())).seen).toEqual({
      state: 'failed',
      reason: 'AllocationFailed: No room.',
      since: expect.any(Date),
    })
    await far.delete(cloud, spec)
    expect(await far.leftovers(spec.name)).toEqual([])
  })
})

test('ports are opened and closed rule by rule, and the group is deleted once nothing uses it', async () => {
  const spec = machineSpec(70, { securityGroup: 'ports-of-70' })
  const place = { resourceGroup: spec.resourceGroup, name: spec.securityGroup }
  const ports = [8080, 8443].map((port, i) => ({ port, priority: 1001 + i }))
  // By name: those made within one second are told in another order than those of two.
  const rules = async () =>
    (await far.truth()).securityGroups
      .find(({ name }) => name === place.name)
      ?.rules.toSorted((a, b) => a.name.localeCompare(b.name))
  const hold = (wanted: typeof ports) => cloud.holdPorts(place, wanted, signal())
  expect(await hold(ports)).toBe('absent')
  await cloud.createMachine(spec, signal())
  expect([await hold(ports), await hold(ports)]).toEqual(['changed', 'held'])
  expect([await hold(ports.slice(1)), await hold(ports.slice(1))]).toEqual(['changed', 'held'])
  expect(await rules()).toMatchObject([
    { name: 'trainyard-port-8443', priority: 1002, access: 'Allow', destinationPortRange: '8443' },
    { name: 'trainyard-ssh', priority: 900 },
  ])
  await expect(cloud.deleteSecurityGroup(place, signal())).rejects.toMatchObject({ kind: 'conflict' })
  await far.delete(cloud, spec)
  expect((await cloud.deleteSecurityGroup(place, signal())).remaining).toBe('something')
  expect((await cloud.deleteSecurityGroup(place, signal())).remaining).toBe('nothing')
  expect(await rules()).toBeUndefined()
})

test('the offers of a location are told: sizes, withheld ones, the used part of the limits; and if terms are accepted', async () => {
  await far.control('POST', '/_offers', { location: 'southindia', size: 'Standard_D8s_v4', offered: false })
  const { sizes, limits } = await cloud.offersAt('southindia', signal())
  const named = (name: string) => sizes.find(({ size }) => size === name)
  expect(named('Standard_D2s_v3')).toEqual({
    size: 'Standard_D2s_v3',
    family: 'standardDSv3Family',
    cores: 2,
    withheld: null,
  })
  expect(named('Standard_D8s_v4')).toMatchObject({ withheld: 'NotAvailableForSubscription' })
  expect(limits).toContainEqual(expect.objectContaining({ family: 'cores', allowed: 200_000 }))
  const plan = { publisher: 'nginx', product: 'nginx-plus', name: 'plus' }
  expect(await cloud.termsAccepted(plan, signal())).toBe(false)
})

test('nothing is offered in a region that there is not', async () => {
  expect(await cloud.offersAt('marsnorth', signal())).toEqual({ sizes: [], limits: [] })
})

test.skipIf(specificationRoot() === null)(
  'all that went over the wire fits the contract, and is just what the negative controls go by',
  async () => {
    const { operations } = await watch.settle()
    const together: readonly string[] = LOOKS_TOGETHER
    const asked = [...operations.keys()].filter((operation) => !together.includes(operation))
    expect(asked.toSorted()).toEqual([...OPERATIONS_IN_USE].toSorted())
  },
  120_000,
)

function signal(): AbortSignal {
  return AbortSignal.timeout(20_000)
}

const all = (): Promise<PlacedSighting[]> => collected(cloud.lookAtAllMachines(signal()))

async function collected<T>(list: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const one of list) found.push(one)
  return found
}
