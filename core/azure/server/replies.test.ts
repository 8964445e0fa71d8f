import { describe, expect, test } from 'vitest'
import type { AzureListedMachine } from './azure-spec.ts'
import { azureMachines } from './machines.ts'
import { ABSENT, type Reply, SUBSCRIPTION, wireOf } from '@trainyard/platform/test/azure-wire.ts'
import { machineSpec } from '@trainyard/platform/test/emulated-azure.ts'

/** Responses in each form that Azure's published schemas allow: optional fields may be missing. */

const signal = () => AbortSignal.timeout(10_000)
const place = { resourceGroup: 'labs', name: 'lab-1' }
const MACHINE = `/subscriptions/${SUBSCRIPTION}/resourceGroups/labs/providers/Microsoft.Compute/virtualMachines/lab-1`

describe('an offered size', () => {
  const sku = (overrides: object = {}) => ({
    name: 'Standard_B1s',
    resourceType: 'virtualMachines',
    family: 'standardBSFamily',
    capabilities: [{ name: 'vCPUs', value: '2' }],
    ...overrides,
  })
  const offers = async (skus: readonly object[], usages: readonly object[] = []) =>
    azureMachines(wireOf((_, path) => ({ body: { value: path.endsWith('/skus') ? skus : usages } }))).getOffers(
      'southindia',
      signal(),
    )
  const restriction = (type: string, values: readonly string[], reasonCode?: string) =>
    sku({ restrictions: [{ type, values, ...(reasonCode === undefined ? {} : { reasonCode }) }] })

  test.each([
    [sku(), null],
    [restriction('Location', ['SouthIndia'], 'NotAvailableForSubscription'), 'NotAvailableForSubscription'],
    [restriction('Location', ['southindia']), 'restricted'],
    // A restriction for another location, or for a single zone, does not apply.
    [restriction('Location', ['eastus'], 'NotAvailableForSubscription'), null],
    [restriction('Zone', ['southindia'], 'NotAvailableForSubscription'), null],
  ])('reads %j as withheld for the reason %s', async (one, withheld) => {
    expect((await offers([one])).sizes).toEqual([
      { size: 'Standard_B1s', family: 'standardBSFamily', cores: 2, memoryMb: null, withheld },
    ])
  })

  test.each([
    ['a disk', sku({ resourceType: 'disks' })],
    ['without a name', sku({ name: undefined })],
    ['without a family', sku({ family: undefined })],
    ['without cores', sku({ capabilities: [] })],
    ['of nothing', sku({ capabilities: undefined })],
    ['of no cores', sku({ capabilities: [{ name: 'vCPUs', value: '0' }] })],
  ])('ignores an entry that is not a machine size: %s', async (_, one) => {
    expect((await offers([one])).sizes).toEqual([])
  })

  test('ignores a limit without a name', async () => {
    const usage = (name: object) => ({ name, currentValue: 3, limit: 10, unit: 'Count' })
    expect((await offers([], [usage({ value: 'cores' }), usage({})])).limits).toEqual([
      { family: 'cores', used: 3, allowed: 10 },
    ])
  })
})

describe('a list of machines', () => {
  const listed = async (...machines: readonly object[]) => {
    const seen: AzureListedMachine[] = []
    const cloud = azureMachines(wireOf(() => ({ body: { value: machines } })))
    for await (const one of cloud.listMachines(signal())) seen.push(one)
    return seen
  }
  const statuses = (...codes: readonly (string | undefined)[]) => ({
    id: MACHINE,
    location: 'southindia',
    properties: { instanceView: { statuses: codes.map((code) => ({ code })) } },
  })

  test.each([
    [['ProvisioningState/succeeded', 'PowerState/running'], 'running'],
    [['ProvisioningState/deleting'], 'changing'],
    [['ProvisioningState/failed/AllocationFailed'], 'failed'],
    [[undefined, 'PowerState/deallocated', 'ProvisioningState/succeeded'], 'stopped'],
  ])('reads the statuses %j as %s', async (codes, state) => {
    const [machine] = await listed(statuses(...codes))
    expect([machine!.resourceGroup, machine!.name, machine!.seen?.state ?? null]).toEqual(['labs', 'lab-1', state])
  })

  test.each([
    ['its power is left out', statuses('ProvisioningState/succeeded')],
    ['it is being changed', statuses('ProvisioningState/updating')],
    ['there are no statuses', { id: MACHINE, location: 'southindia', properties: { instanceView: {} } }],
    ['there is no view of it', { id: MACHINE, location: 'southindia', properties: {} }],
  ])('has no state for a machine when %s', async (_, machine) => {
    expect(await listed(machine)).toMatchObject([{ name: 'lab-1', seen: null }])
  })

  test.each([
    ['without an id', { location: 'southindia' }],
    ['of something else', { id: MACHINE.replace('virtualMachines', 'disks'), location: 'southindia' }],
    ['in no group', { id: '/subscriptions/s/virtualMachines/lab-1', location: 'southindia' }],
  ])('is rejected if an entry is %s', async (_, machine) => {
    await expect(listed(machine)).rejects.toMatchObject({ kind: 'unreachable' })
  })
})

test('rejects a machine without an id', async () => {
  const cloud = azureMachines(wireOf(() => ({ body: { location: 'southindia' } })))
  await expect(cloud.getMachine(place, signal())).rejects.toMatchObject({ kind: 'unreachable' })
})

describe('the time', () => {
  const readAt = (headers: Readonly<Record<string, string>>) =>
    azureMachines(wireOf(() => ({ ...ABSENT, headers }))).getMachine(place, signal())

  test('is Azure’s Date header, also for a missing resource', async () => {
    const { at } = await readAt({ date: 'Sun, 22 Nov 2026 05:00:07 GMT' })
    expect(at).toEqual(new Date('2026-11-22T05:00:07Z'))
  })

  test('is ours in whole seconds if the header is unreadable', async () => {
    const before = Math.floor(Date.now() / 1000) * 1000
    const { at } = await readAt({ date: 'yesterday' })
    expect(at.getTime()).toBeGreaterThanOrEqual(before)
    expect(at.getTime()).toBeLessThanOrEqual(Date.now())
    expect(at.getTime() % 1000).toBe(0)
  })
})

describe('an operation', () => {
  const started = (reply: Reply) => azureMachines(wireOf(() => reply)).startMachine(place, signal())

  test.each<[string, Reply]>([
    ['with nothing', { status: 202, body: '' }],
    ['with a description', { status: 200, body: { id: 7, provisioningState: 'Updating' } }],
    ['with null', { status: 200, body: 'null' }],
    ['with a text', { status: 200, body: '"taken"' }],
  ])('is accepted when Azure answers %s', async (_, reply) => {
    expect(await started(reply)).toEqual({ at: expect.any(Date) })
  })

  test.each<[string, Reply]>([
    ['the page of some proxy', { body: '<html>', headers: { 'content-type': 'text/html' } }],
    ['half of an answer', { status: 202, body: '{"id":' }],
    ['an answer of no type', { body: '{}', headers: { 'content-type': '' } }],
  ])('is not accepted with %s', async (_, reply) => {
    await expect(started(reply)).rejects.toMatchObject({ kind: 'unreachable' })
  })
})

describe('the shared resources of a machine', () => {
  const spec = machineSpec(1)
  const ID = '/subscriptions/s/resourceGroups/g/providers/P/t/it'
  const subnet = (name: string) => ({ id: `${ID}/subnets/${name}`, name })
  const ready = (overrides: object = {}) => ({ id: ID, properties: { provisioningState: 'Succeeded', ...overrides } })
  const rules = (...names: readonly string[]) => ready({ securityRules: names.map((name) => ({ name })) })

  /** Creates a machine with these existing resources. Returns the PUT requests by resource. */
  async function order(existing: { network?: object; group?: object; address?: object }) {
    const requests: string[] = []
    const replies: readonly [RegExp, () => object][] = [
      [/\/virtualNetworks\//, () => existing.network ?? ready({ subnets: [subnet('default')] })],
      [/\/securityRules\//, () => ready()],
      [/\/networkSecurityGroups\//, () => existing.group ?? rules('trainyard-ssh')],
      [/\/publicIPAddresses\//, () => existing.address ?? ready()],
      [/./, () => ready()],
    ]
    const cloud = azureMachines(
      wireOf((_, path) => ({ body: replies.find(([pattern]) => pattern.test(path))![1]() }), requests),
    )
    const accepted = await cloud.createMachine(spec, signal())
    const put = requests.flatMap((each) => /^PUT .*\/providers\/[^/]+\/(.*)$/.exec(each)?.[1] ?? [])
    return { accepted, put }
  }
  const CREATED_KINDS = ['publicIPAddresses/', 'networkInterfaces/', 'virtualMachines/']
  const kinds = (put: readonly string[]) => put.map((each) => each.slice(0, each.indexOf('/') + 1))

  test('are used unchanged if they exist', async () => {
    expect(kinds((await order({})).put)).toEqual(CREATED_KINDS)
  })

  test('get a missing login rule without changes to other rules', async () => {
    const { put } = await order({ group: rules('theirs') })
    expect(put[0]).toMatch(/^networkSecurityGroups\/.*\/securityRules\/trainyard-ssh$/)
    expect(kinds(put)).toEqual(['networkSecurityGroups/', ...CREATED_KINDS])
    expect(kinds((await order({ group: ready() })).put)).toEqual(['networkSecurityGroups/', ...CREATED_KINDS])
  })

  test.each([[[subnet('default'), subnet('other')]], [[subnet('other'), subnet('default')]], [[subnet('other')]]])(
    'include a subnet among %j',
    async (subnets) => {
      expect(kinds((await order({ network: ready({ subnets }) })).put)).toEqual(CREATED_KINDS)
    },
  )

  test.each([
    ['a network without a subnet', { network: ready({ subnets: [] }) }, 'refused'],
    ['a network that says none', { network: ready() }, 'refused'],
    ['a security group without an id', { group: { properties: { provisioningState: 'Succeeded' } } }, 'unreachable'],
    ['an address without an id', { address: { properties: { provisioningState: 'Succeeded' } } }, 'unreachable'],
  ])('fail the creation with %s', async (_, existing, kind) => {
    await expect(order(existing)).rejects.toMatchObject({ kind })
  })

  test.each<[string, Reply, string]>([
    ['does not exist', { status: 404, body: { error: { code: 'ResourceNotFound' } } }, 'create it in Azure'],
    [
      'has other addresses',
      { body: ready({ subnets: [{ ...subnet('default'), properties: { addressPrefix: '10.21.0.0/16' } }] }) },
      '(10.21.0.0/16)',
    ],
    [
      'is only partly in the ranges',
      {
        body: ready({
          subnets: [{ ...subnet('default'), properties: { addressPrefixes: ['10.20.0.0/24', '10.21.0.0/24'] } }],
        }),
      },
      'is not in the address ranges',
    ],
    ['does not say its addresses', { body: ready({ subnets: [subnet('default')] }) }, 'is not in the address ranges'],
  ])('refuse a private machine if its virtual network %s', async (_, network, sentence) => {
    const requests: string[] = []
    const cloud = azureMachines(
      wireOf((_method, path) => {
        if (path.includes('/virtualNetworks/')) return network
        return { body: path.includes('/networkSecurityGroups/') ? rules('trainyard-ssh') : ready() }
      }, requests),
    )
    const expected = machineSpec(1, { addressKind: 'private address', privateRanges: ['10.20.0.0/16'] })
    await expect(cloud.createMachine(expected, signal())).rejects.toMatchObject({
      kind: 'refused',
      message: expect.stringContaining(sentence),
    })
    expect(requests.filter((each) => each.startsWith('PUT'))).toEqual([])
  })

  test('returns the machine’s address if Azure already assigned it', async () => {
    expect((await order({ address: ready({ ipAddress: '20.0.0.1' }) })).accepted).toEqual({
      at: expect.any(Date),
      address: '20.0.0.1',
    })
    expect((await order({})).accepted).toEqual({ at: expect.any(Date) })
  })

  test.each([
    [400, 'InvalidResourceReference', true],
    [404, 'ResourceNotFound', true],
    [409, 'Conflict', false],
  ])('after %d %s the cached resources are read again: %s', async (status, code, again) => {
    const requests: string[] = []
    let refuse = true
    const cloud = azureMachines(
      wireOf((method, path) => {
        if (refuse && method === 'PUT' && path.includes('/virtualMachines/'))
          return { status, body: { error: { code, message: 'No.' } } }
        if (path.includes('/virtualNetworks/')) return { body: ready({ subnets: [subnet('default')] }) }
        if (path.includes('/networkSecurityGroups/')) return { body: rules('trainyard-ssh') }
        return { body: ready() }
      }, requests),
    )
    await expect(cloud.createMachine(spec, signal())).rejects.toMatchObject({ name: 'CloudError' })
    refuse = false
    requests.length = 0
    await cloud.createMachine(spec, signal())
    expect(requests.some((each) => each.includes('/virtualNetworks/'))).toBe(again)
  })
})

describe('an image of a machine', () => {
  const image = {
    ...place,
    id: '0198c0de-0000-7000-8000-000000000001',
    location: 'southindia',
    os: 'Linux' as const,
    tags: {},
  }
  const capture = (properties: object) =>
    azureMachines(wireOf(() => ({ body: { id: MACHINE, properties } }))).captureMachine(image, signal())
  const regions = (...summary: readonly object[]) => ({ replicationStatus: { summary } })

  test.each([
    [{ provisioningState: 'Succeeded' }, { state: 'ready' }],
    [{ provisioningState: 'Failed' }, { state: 'failed', reason: 'Azure gave no reason.' }],
    [
      { provisioningState: 'Failed', ...regions({}, { details: '' }, { details: 'No\nroom.' }) },
      { state: 'failed', reason: 'No room.' },
    ],
    // The progress is the progress of the slowest region. Only the state tells that the image is ready.
    [
      { provisioningState: 'Creating', ...regions({ progress: 60 }, { progress: 20 }) },
      { state: 'working', progress: 20 },
    ],
    [
      { provisioningState: 'Creating', ...regions({ progress: 100 }) },
      { state: 'working', progress: 99 },
    ],
    [
      { provisioningState: 'Creating', ...regions({}) },
      { state: 'working', progress: 0 },
    ],
    [{ provisioningState: 'Creating' }, { state: 'working', progress: 0 }],
  ])('reads %j as %j', async (properties, state) => {
    expect(await capture(properties)).toMatchObject(state)
  })
})
