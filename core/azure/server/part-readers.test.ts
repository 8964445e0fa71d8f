import type { HttpClient, PipelineResponse } from '@azure/core-rest-pipeline'
import { beforeEach, expect, test } from 'vitest'
import type { AzureMachineSpec } from './azure-spec.ts'
import { machineSpec } from '@trainyard/platform/test/emulated-azure.ts'
import { sharedEmulatedAzure } from '@trainyard/platform/test/shared.ts'

/** Tests how concurrent deletions read the machines' parts, and that no part is missed. */
const azure = await sharedEmulatedAzure()

const reads: string[] = []
beforeEach(() => void reads.splice(0))
const PARTS = /\/(networkInterfaces|disks|publicIPAddresses)(\/[^/]+)?$/i

/**
 * Returns an HTTP client whose lists of parts are empty, like the lists of stale replicas. Responses about the two
 * machines are delayed until both requests have arrived, so that both machines read their parts at the same time.
 */
function staleLists(wire: HttpClient): HttpClient {
  const pending: (() => void)[] = []
  const both = () =>
    new Promise<void>((resolve) => {
      pending.push(resolve)
      if (pending.length === PAIR.length) for (const release of pending.splice(0)) release()
    })
  return {
    async sendRequest(request): Promise<PipelineResponse> {
      const { pathname } = new URL(request.url)
      const part = request.method === 'GET' ? PARTS.exec(pathname) : null
      if (part !== null) reads.push(`${part[1]} ${part[2] === undefined ? 'list' : 'alone'}`)
      const reply = await wire.sendRequest(request)
      if (request.method === 'GET' && /\/virtualMachines\//i.test(pathname)) await both()
      return part !== null && part[2] === undefined && reply.status === 200
        ? { ...reply, bodyAsText: JSON.stringify({ value: [] }) }
        : reply
    },
  }
}

const signal = () => AbortSignal.timeout(20_000)
const PAIR = [1, 2].map((number) => machineSpec(number))

/** Deletes all machines concurrently, step by step. Returns false if something remains after six steps. */
async function deleteTogether(machines: readonly AzureMachineSpec[], firstSeenAt: Date | null): Promise<boolean> {
  const cloud = azure.machines(staleLists)
  for (let step = 0; step < 6; step++) {
    const steps = await Promise.all(
      machines.map((each) => cloud.deleteMachine({ ...each, firstSeenAt, isKnownToExist: false }, signal())),
    )
    if (steps.every(({ remaining }) => remaining === 'nothing')) return true
  }
  return false
}

/** Creates parts without machines, as a failed creation does. */
async function leaveParts() {
  const cloud = azure.machines()
  for (const spec of PAIR) {
    await azure.fault({ kind: 'refuseCapacity', operation: 'VirtualMachines_CreateOrUpdate', times: 1 })
    await cloud.createMachine(spec, signal()).catch(() => {})
  }
  await azure.clearFaults()
}

test.each([
  ['never seen to stand', () => null],
  ['seen to stand just now', () => new Date()],
])(
  'reads a part that is missing from the lists of machines %s individually, and deletes it',
  async (_, firstSeenAt) => {
    await leaveParts()
    expect(await azure.leftovers(PAIR[0]!.name)).toEqual(['linux-101-1-ip', 'linux-101-1-nic'])
    expect(await deleteTogether(PAIR, firstSeenAt())).toBe(true)
    for (const { name } of PAIR) expect(await azure.leftovers(name)).toEqual([])
  },
)

test('does not read parts individually that are missing from the lists of old machines', async () => {
  const { at } = await azure.machines().getMachine(PAIR[0]!, signal())
  expect(await deleteTogether(PAIR, new Date(at.getTime() - 3_600_000))).toBe(true)
  expect(reads.toSorted()).toEqual(['disks list', 'networkInterfaces list', 'publicIPAddresses list'])
})

test('reports nothing remaining if the resource group does not exist', async () => {
  const inDeletedGroup = PAIR.map((spec) => ({ ...spec, resourceGroup: 'gone-labs' }))
  expect(await deleteTogether(inDeletedGroup, new Date(0))).toBe(true)
  // The portal may still assume that the machine exists.
  const [one] = inDeletedGroup
  const ended = await azure
    .machines()
    .deleteMachine({ ...one!, firstSeenAt: new Date(0), isKnownToExist: true }, signal())
  expect(ended.remaining).toBe('nothing')
})
