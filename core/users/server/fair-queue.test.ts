import { expect, test } from 'vitest'
import { Problem } from '@trainyard/platform/server/core/errors.ts'
import { createFairQueue, type QueuedClient } from './fair-queue.ts'

/** Returns the order in which waiting clients are admitted with a concurrency of 1. */
async function orderOf(waiting: readonly (QueuedClient & { readonly name: string })[]): Promise<string[]> {
  const queued = createFairQueue({ concurrency: 1, waitingMax: 100, waitingPerAddressMax: 100 })
  const order: string[] = []
  const first = Promise.withResolvers<void>()
  const unknownClient = { known: false, address: 'x', user: 'x' }
  const all = [
    queued(unknownClient, () => first.promise),
    ...waiting.map((each) => queued(each, async () => void order.push(each.name))),
  ]
  first.resolve()
  await Promise.all(all)
  return order
}

const users = (address: string, count: number) =>
  Array.from({ length: count }, (_, i) => ({
    known: false,
    address,
    user: `${address}${i}`,
    name: `${address}${i}`,
  }))

test('a client behind many clients from other addresses waits for one client of each address only', async () => {
  const lateLogin = { known: false, address: 'home', user: 'owner', name: 'owner' }
  expect((await orderOf([...users('a', 20), lateLogin])).indexOf('owner')).toBe(1)
  expect((await orderOf([...users('a', 20), ...users('b', 20), ...users('c', 20), lateLogin])).indexOf('owner')).toBe(3)
})

test('a client waits for only one of many guesses for one user, even from the same address', async () => {
  const guessingLogins = Array.from({ length: 20 }, (_, i) => ({
    known: false,
    address: 'school',
    user: 'one',
    name: `guess${i}`,
  }))
  const lateLogin = { known: false, address: 'school', user: 'other', name: 'other' }
  expect((await orderOf([...guessingLogins, lateLogin])).indexOf('other')).toBe(1)
})

test('a known browser waits for at most one unknown client, even with many addresses', async () => {
  const unknownClients = Array.from({ length: 50 }, (_, i) => users(`a${i}.`, 1)).flat()
  const owner = { known: true, address: 'home', user: 'owner', name: 'owner' }
  expect((await orderOf([...unknownClients, owner])).indexOf('owner')).toBeLessThan(2)
})

test.each([
  ['IPv6', (n: number) => `2001:db8:7:${n.toString(16)}::/64`],
  ['IPv4', (n: number) => `198.51.100.${n}`],
])('a client waits for one of the many networks of another line of %s', async (_protocol, network) => {
  const line = Array.from({ length: 90 }, (_, n) => users(network(n), 1)).flat()
  const owner = { known: false, address: '2001:db8:8:1::/64', user: 'owner', name: 'owner' }
  expect((await orderOf([...line, owner])).indexOf('owner')).toBe(1)
})

test('a full queue drops a client of the line with the most networks', async () => {
  const { arrive, results, release } = blockedQueue({ waitingMax: 3, waitingPerAddressMax: 3 })
  for (const n of [1, 2, 3]) arrive(`a${n}`, `2001:db8:7:${n}::/64`)
  arrive('b', '2001:db8:8:1::/64')
  await release()
  expect(results).toEqual({ running: 'in', a1: 'in', a2: 'in', a3: OUT, b: 'in' })
})

test('requests of one user are admitted in order', async () => {
  const mine = ['one', 'two', 'three'].map((name) => ({ known: false, address: 'home', user: 'owner', name }))
  expect(await orderOf(mine)).toEqual(['one', 'two', 'three'])
})

/** Creates a queue in which work blocks until `release`, and records the result of each client. */
function blockedQueue(limits: { waitingMax: number; waitingPerAddressMax: number }) {
  const queued = createFairQueue({ concurrency: 1, ...limits })
  const blocked = Promise.withResolvers<void>()
  const results: Record<string, string> = {}
  const all: Promise<void>[] = []
  const enqueue = (name: string, address: string, known = false) => {
    const recordOutcome = (how: string) => (error?: unknown) => {
      results[name] = error instanceof Problem ? `${how} ${error.code}, again in ${error.retryAfter} s` : how
    }
    all.push(
      queued({ known, address, user: name }, () => blocked.promise).then(recordOutcome('in'), recordOutcome('out')),
    )
  }
  enqueue('running', 'x')
  const release = async () => {
    blocked.resolve()
    await Promise.all(all)
  }
  return { arrive: enqueue, results, release }
}
const OUT = 'out tooMany, again in 5 s'

test('an address at its limit is rejected without affecting others', async () => {
  const { arrive: enqueue, results, release } = blockedQueue({ waitingMax: 9, waitingPerAddressMax: 3 })
  for (const name of ['a1', 'a2', 'a3', 'a4']) enqueue(name, 'a')
  enqueue('b1', 'b')
  // Known clients do not count towards the address's limit.
  enqueue('owner', 'a', true)
  await release()
  expect(results).toEqual({ running: 'in', a1: 'in', a2: 'in', a3: 'in', a4: OUT, b1: 'in', owner: 'in' })
})

test('a full queue drops the newest client of the largest group for a client of another group', async () => {
  const { arrive: enqueue, results, release } = blockedQueue({ waitingMax: 5, waitingPerAddressMax: 5 })
  for (const name of ['a1', 'a2', 'a3']) enqueue(name, 'a')
  for (const name of ['b1', 'b2']) enqueue(name, 'b')
  enqueue('c1', 'c')
  // From now on, no other group exceeds the new client's own group by more than one.
  enqueue('a4', 'a')
  enqueue('b3', 'b')
  enqueue('owner', 'home', true)
  await release()
  const expectedOutcomes = { running: 'in', a1: 'in', b1: 'in', b2: 'in', c1: 'in', owner: 'in' }
  expect(results).toEqual({ ...expectedOutcomes, a2: OUT, a3: OUT, a4: OUT, b3: OUT })
})

test('known clients are never dropped', async () => {
  const { arrive: enqueue, results, release } = blockedQueue({ waitingMax: 2, waitingPerAddressMax: 2 })
  enqueue('one', 'home', true)
  enqueue('two', 'home', true)
  enqueue('three', 'elsewhere', true)
  enqueue('stranger', 'a')
  await release()
  expect(results).toEqual({ running: 'in', one: 'in', two: 'in', three: OUT, stranger: OUT })
})

test('failed work passes its slot to the next client', async () => {
  const queued = createFairQueue({ concurrency: 1, waitingMax: 5, waitingPerAddressMax: 5 })
  const client = { known: false, address: 'a', user: 'x' }
  const all = [1, 2, 3].map(() => queued(client, () => Promise.reject(new Error('no'))))
  expect((await Promise.allSettled(all)).every(({ status }) => status === 'rejected')).toBe(true)
  expect(await queued(client, async () => 'in')).toBe('in')
})

test('a dropped client frees its slot', async () => {
  const queued = createFairQueue({ concurrency: 1, waitingMax: 1, waitingPerAddressMax: 1 })
  for (let round = 0; round < 3; round += 1) {
    const blocked = Promise.withResolvers<void>()
    const enqueue = (known: boolean) => queued({ known, address: 'a', user: 'x' }, () => blocked.promise)
    const all = [enqueue(false), enqueue(false), enqueue(true)]
    blocked.resolve()
    expect((await Promise.allSettled(all)).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  }
})

test('a client that disconnects or waits too long frees its slot, and its work never runs', async () => {
  const queued = createFairQueue({ concurrency: 1, waitingMax: 2, waitingPerAddressMax: 2, waitMs: 50 })
  const client = { known: false, address: 'a', user: 'x' }
  const blocked = Promise.withResolvers<void>()
  const started: string[] = []
  const first = queued(client, () => blocked.promise)
  const disconnect = new AbortController()
  const remaining = queued({ ...client, closed: disconnect.signal }, async () => void started.push('left'))
  disconnect.abort()
  await expect(remaining).rejects.toMatchObject({ code: 'unavailable' })
  await expect(
    queued({ ...client, closed: disconnect.signal }, async () => void started.push('was away')),
  ).rejects.toThrow('closed the connection')
  await expect(queued(client, async () => void started.push('late'))).rejects.toMatchObject({
    code: 'tooMany',
    retryAfter: 5,
  })
  const last = queued(client, async () => void started.push('last'))
  blocked.resolve()
  await Promise.all([first, last])
  expect(started).toEqual(['last'])
})
