import { expect, test } from 'vitest'
import { newestAzure } from './newest-azure.ts'
import type { Exchange } from '../exchange.ts'
import { clientMachine } from '../lab.ts'
import { sharedTestEmulator } from '../shared-test-emulator.ts'

/** Latency factor with which Retry-After is one second. The clock does not advance until a test steps it. */
const latency = 0.005
const location = 'southindia'
const group = 'labs'
const names = ['restarted', 'stopped', 'freed', 'deleted', 'failing'] as const

interface Poll {
  readonly pause: string | undefined
  readonly at: number
}

/** Polls of unfinished operations, by address. */
const polls = new Map<string, Poll[]>()

/**
 * Addresses of operations that were polled while in progress since `callback` started, and the number of addresses at which
 * all operations are completed.
 */
let polledAddresses = new Set<string>()
let expectedPolls = 1

/** Runs `callback`. Completes all operations that it starts after each was polled in progress. Returns their poll addresses. */
async function inProgress(count: number, callback: () => Promise<unknown>): Promise<string[]> {
  polledAddresses = new Set()
  expectedPolls = count
  await callback()
  expectedPolls = 1
  return [...polledAddresses]
}

async function watch({ url, status, headers, body }: Exchange): Promise<void> {
  if (!isPoll(url)) return
  polls.set(url, [...(polls.get(url) ?? []), { pause: headers['retry-after'], at: performance.now() }])
  if (status !== 202 && !body.includes('InProgress')) return
  polledAddresses.add(url)
  if (polledAddresses.size >= expectedPolls) await emulator.advance(100)
}

const isPoll = (url: string): boolean => /\/\w*operation(?:s|results)\//i.test(url)

const emulator = await sharedTestEmulator({ latency, clock: 'stepped' })
const azure = newestAzure(emulator.url, watch)
const { resources, network } = azure
await Promise.all([group, 'spare'].map((name) => resources.resourceGroups.createOrUpdate(name, { location })))
const net = await network.virtualNetworks.createOrUpdate(group, 'net', {
  location,
  addressSpace: { addressPrefixes: ['10.0.0.0/16'] },
  subnets: [{ name: 'default', addressPrefix: '10.0.0.0/24' }],
})
await Promise.all(names.map((name) => createMachine(name, `${net.id}/subnets/default`)))

async function createMachine(name: string, subnet: string): Promise<void> {
  const networkInterface = await azure.network.networkInterfaces.createOrUpdate(group, name, {
    location,
    ipConfigurations: [{ name: 'primary', subnet: { id: subnet } }],
  })
  const body = clientMachine('lab', networkInterface.id!)
  const created = await azure.compute.virtualMachines.createOrUpdate(group, name, body)
  expect(created.provisioningState).toBe('Succeeded')
}

test('polls operations with the client after the requested pause until they end', async () => {
  const { compute, network, resources } = azure
  const lasted = await inProgress(7, () =>
    Promise.all([
      compute.virtualMachines.restart(group, 'restarted'),
      compute.virtualMachines.powerOff(group, 'stopped'),
      compute.virtualMachines.deallocate(group, 'freed'),
      compute.virtualMachines.delete(group, 'deleted'),
      compute.galleries.createOrUpdate(group, 'images', { location }),
      network.networkSecurityGroups.createOrUpdate(group, 'ports', { location }),
      resources.resourceGroups.delete('spare'),
    ]),
  )
  expect(lasted).toHaveLength(7)
  for (const url of lasted) {
    const [firstPoll, secondPoll] = polls.get(url) ?? []
    // The network provider and galleries send no Retry-After. The clients then wait two seconds.
    const pause = Number(firstPoll?.pause ?? 2)
    expect(pause).toBeGreaterThanOrEqual(1)
    expect((secondPoll?.at ?? 0) - (firstPoll?.at ?? 0)).toBeGreaterThan(pause * 1000 - 50)
  }
  await expect(compute.virtualMachines.get(group, 'deleted')).rejects.toMatchObject({ code: 'ResourceNotFound' })
  expect((await resources.resourceGroups.checkExistence('spare')).body).toBe(false)
})

test('reports the error of an operation that fails later', { tags: ['storm'] }, async () => {
  const { compute, resources } = azure
  await compute.virtualMachines.deallocate(group, 'failing')
  const fault = { kind: 'finishFailed', times: 1 }
  await emulator.control('POST', '/_faults', { ...fault, operation: 'VirtualMachines_Start' })
  await expect(compute.virtualMachines.start(group, 'failing')).rejects.toThrow('AllocationFailed')
  await emulator.control('POST', '/_faults', { ...fault, operation: 'ResourceGroups_Delete' })
  await expect(resources.resourceGroups.delete(group)).rejects.toMatchObject({ statusCode: 409 })
  await resources.resourceGroups.delete(group)
  expect((await resources.resourceGroups.checkExistence(group)).body).toBe(false)
})
