import type { HttpClient, PipelineResponse } from '@azure/core-rest-pipeline'
import { beforeEach, expect, test } from 'vitest'
import type { MachineSpec } from '../cloud.ts'
import { machineSpec } from '#test/far-end.ts'
import { sharedFarEnd } from '#test/shared.ts'

/** Machines that are deleted in the same seconds: how what they brought is looked at, and that nothing of it is missed. */
const farEnd = await sharedFarEnd()

const asked: string[] = []
beforeEach(() => void asked.splice(0))
const PARTS = /\/(networkInterfaces|disks|publicIPAddresses)(\/[^/]+)?$/i

/**
 * A wire on which the lists of parts lack all that stands, as those of a moment ago do. Replies about machines come
 * for both at once, so that both look at their parts in the same turn.
 */
function staleLists(wire: HttpClient): HttpClient {
  const held: (() => void)[] = []
  const both = () =>
    new Promise<void>((resolve) => {
      held.push(resolve)
      if (held.length === PAIR.length) for (const release of held.splice(0)) release()
    })
  return {
    async sendRequest(request): Promise<PipelineResponse> {
      const { pathname } = new URL(request.url)
      const part = request.method === 'GET' ? PARTS.exec(pathname) : null
      if (part !== null) asked.push(`${part[1]} ${part[2] === undefined ? 'list' : 'alone'}`)
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

/** Deletes all at once, step by step; false: something still stands after so many steps. */
async function deleteTogether(machines: readonly MachineSpec[], firstSeenAt: Date | null): Promise<boolean> {
  const cloud = farEnd.cloud(staleLists)
  for (let step = 0; step < 6; step++) {
    const steps = await Promise.all(
      machines.map((one) => cloud.deleteMachine({ ...one, firstSeenAt, stands: false }, signal())),
    )
    if (steps.every(({ remaining }) => remaining === 'nothing')) return true
  }
  return false
}

/** Machines that are gone, and left what they brought: as an order does that was broken off. */
async function leaveParts() {
  const cloud = farEnd.cloud()
  for (const spec of PAIR) {
    await farEnd.fault({ kind: 'refuseCapacity', operation: 'VirtualMachines_CreateOrUpdate', times: 1 })
    await cloud.createMachine(spec, signal()).catch(() => {})
  }
  await farEnd.clearFaults()
}

test.each([
  ['never seen to stand', () => null],
  ['seen to stand just now', () => new Date()],
])('a part missing from the lists of machines %s is asked for alone, and removed', async (_, firstSeenAt) => {
  await leaveParts()
  expect(await farEnd.leftovers(PAIR[0]!.name)).toEqual(['linux-101-1-ip', 'linux-101-1-nic'])
  expect(await deleteTogether(PAIR, firstSeenAt())).toBe(true)
  for (const { name } of PAIR) expect(await farEnd.leftovers(name)).toEqual([])
})

test('parts missing from the lists of machines made long ago are gone: no part is asked for alone', async () => {
  const { at } = await farEnd.cloud().lookAtMachine(PAIR[0]!, signal())
  expect(await deleteTogether(PAIR, new Date(at.getTime() - 3_600_000))).toBe(true)
  expect(asked.toSorted()).toEqual(['disks list', 'networkInterfaces list', 'publicIPAddresses list'])
})

test('nothing of machines stands whose whole group is gone', async () => {
  const elsewhere = PAIR.map((spec) => ({ ...spec, resourceGroup: 'gone-labs' }))
  expect(await deleteTogether(elsewhere, new Date(0))).toBe(true)
  // The portal may still believe that it stands.
  const [one] = elsewhere
  const ended = await farEnd.cloud().deleteMachine({ ...one!, firstSeenAt: new Date(0), stands: true }, signal())
  expect(ended.remaining).toBe('nothing')
})
