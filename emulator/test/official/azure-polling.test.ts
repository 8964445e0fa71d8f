import { expect, test } from 'vitest'
import { newestAzure } from '#test/official/newest-azure.ts'
import type { Exchange } from '#test/exchange.ts'
import { clientMachine } from '#test/lab.ts'
import { sharedFarEnd } from '#test/shared.ts'

/** So little that clients are asked to pause for a second at a time; the clock stands until it is stepped. */
const latency = 0.005
const location = 'southindia'
const group = 'labs'
const names = ['restarted', 'stopped', 'freed', 'deleted', 'failing'] as const

interface Look {
  readonly pause: string | undefined
  readonly at: number
}

/** When operations were seen not to have ended, by the address of their status. */
const looks = new Map<string, Look[]>()

/** The operations seen on their way since `work` began, and how many end together. */
let lookedAt = new Set<string>()
let together = 1

/** Does `work`, whose long operations all end when each of them has been looked at. Returns their addresses. */
async function inProgress(count: number, work: () => Promise<unknown>): Promise<string[]> {
  lookedAt = new Set()
  together = count
  await work()
  together = 1
  return [...lookedAt]
}

async function watch({ url, status, headers, body }: Exchange): Promise<void> {
  if (!isPoll(url)) return
  looks.set(url, [...(looks.get(url) ?? []), { pause: headers['retry-after'], at: performance.now() }])
  if (status !== 202 && !body.includes('InProgress')) return
  lookedAt.add(url)
  if (lookedAt.size >= together) await farEnd.advance(100)
}

/** Where a long operation is looked at: its status, or where its request said that its result would be. */
const isPoll = (url: string): boolean => /\/\w*operation(?:s|results)\//i.test(url)

const farEnd = await sharedFarEnd({ latency, clock: 'stepped' })
const azure = newestAzure(farEnd.url, watch)
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
  const made = await azure.compute.virtualMachines.createOrUpdate(group, name, body)
  expect(made.provisioningState).toBe('Succeeded')
}

test('the client polls a long operation after the pause that is asked for, until it has ended', async () => {
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
    const [first, second] = looks.get(url) ?? []
    // The network and the galleries ask for no pause: then the clients make one of two seconds.
    const pause = Number(first?.pause ?? 2)
    expect(pause).toBeGreaterThanOrEqual(1)
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(pause * 1000 - 50)
  }
  await expect(compute.virtualMachines.get(group, 'deleted')).rejects.toMatchObject({ code: 'ResourceNotFound' })
  expect((await resources.resourceGroups.checkExistence('spare')).body).toBe(false)
})

test('an operation that fails on its way ends with its error', async () => {
  const { compute, resources } = azure
  await compute.virtualMachines.deallocate(group, 'failing')
  const fault = { kind: 'finishFailed', times: 1 }
  await farEnd.control('POST', '/_faults', { ...fault, operation: 'VirtualMachines_Start' })
  await expect(compute.virtualMachines.start(group, 'failing')).rejects.toThrow('AllocationFailed')
  await farEnd.control('POST', '/_faults', { ...fault, operation: 'ResourceGroups_Delete' })
  await expect(resources.resourceGroups.delete(group)).rejects.toMatchObject({ statusCode: 409 })
  await resources.resourceGroups.delete(group)
  expect((await resources.resourceGroups.checkExistence(group)).body).toBe(false)
})
