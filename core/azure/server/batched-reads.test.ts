import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { readLimiter, type ResourceKind, batchedRead } from './batched-reads.ts'
import { ABSENT, wireOf } from '@trainyard/platform/test/azure-wire.ts'
import { azureClients } from './clients.ts'

/** Creates a reader of a group's addresses, in pages of two, and counts its requests. */
function addresses(existing: readonly string[], everyMs = 1) {
  const requests: string[] = []
  const described = (name: string) => ({ name, properties: { provisioningState: 'Succeeded' } })
  const { network } = azureClients(
    wireOf((_, path, query) => {
      const name = path.split('/publicIPAddresses/')[1]
      if (name !== undefined) {
        const found = existing.find((each) => each.toLowerCase() === name.toLowerCase())
        if (found !== undefined) return { body: described(found) }
        return { status: 404, body: { error: { code: 'ResourceNotFound', message: 'Not found.' } } }
      }
      const from = Number(query.get('$skiptoken') ?? '0')
      const more = from + 2 < existing.length
      const nextLink = `https://management.azure.com${path}?api-version=1&$skiptoken=${from + 2}`
      const value = existing.slice(from, from + 2).map(described)
      return { body: { value, ...(more ? { nextLink } : {}) } }
    }, requests),
  )
  const kind: ResourceKind<{ readonly name?: string }> = {
    label: 'address',
    get: (group, name, options) => network.publicIPAddresses.get(group, name, options),
    list: (group, options) => network.publicIPAddresses.list(group, options),
  }
  const read = batchedRead(kind, everyMs, readLimiter(everyMs))
  const listCount = () => requests.filter((each) => each.endsWith('/publicIPAddresses')).length
  return {
    read: (name: string, group = 'labs') => read(group, name, AbortSignal.timeout(10_000)),
    listed: listCount,
    individual: () => requests.length - listCount(),
  }
}

test('reads a single resource individually, and returns null if it does not exist', async () => {
  const { read, listed: listCount, individual } = addresses(['a'])
  expect(await read('A')).toMatchObject({ name: 'a' })
  expect(await read('b')).toBeNull()
  expect([listCount(), individual()]).toEqual([0, 2])
})

test('reads one list for several waiting reads of a group, ignoring case', async () => {
  const { read, listed: listCount, individual } = addresses(['A', 'b', 'c'])
  expect(await Promise.all([read('a'), read('B', 'LABS'), read('c')])).toMatchObject([
    { name: 'A' },
    { name: 'b' },
    { name: 'c' },
  ])
  // The third resource is on the second page.
  expect([listCount(), individual()]).toEqual([2, 0])
})

test('does not delay the reads of one group because of another group', async () => {
  const { read, listed: listCount, individual } = addresses(['a', 'b'])
  await Promise.all([read('a', 'one'), read('b', 'two')])
  expect([listCount(), individual()]).toEqual([0, 2])
})

test('stops listing when all are found, and reads missing resources individually', async () => {
  const { read, listed: listCount, individual } = addresses(['a', 'b', 'c', 'd', 'e'])
  expect(await Promise.all([read('a'), read('b')])).toMatchObject([{ name: 'a' }, { name: 'b' }])
  expect([listCount(), individual()]).toEqual([1, 0])
  const batch = addresses(['a', 'b'])
  expect(await Promise.all([batch.read('a'), batch.read('z')])).toMatchObject([{ name: 'a' }, null])
  expect([batch.listed(), batch.individual()]).toEqual([1, 1])
  // The list ended before it cost more than individual reads, so the group is still listed.
  await Promise.all([batch.read('a'), batch.read('b')])
  expect([batch.listed(), batch.individual()]).toEqual([2, 1])
})

test('stops a list with more pages than waiting reads, and then reads resources of the group one by one', async () => {
  const { read, listed: listCount, individual } = addresses(['v', 'w', 'x', 'y', 'a', 'b'])
  expect(await Promise.all([read('a'), read('b')])).toMatchObject([{ name: 'a' }, { name: 'b' }])
  expect([listCount(), individual()]).toEqual([2, 2])
  await Promise.all([read('a'), read('b')])
  expect([listCount(), individual()]).toEqual([2, 4])
})

test('waits for the interval between two reads of a group', async () => {
  const { read, individual } = addresses(['a'], 200)
  await read('a')
  const second = read('a')
  // Timers of one process fire in the order of their times, however busy the machine is.
  await Promise.race([second, pause(150)])
  expect(individual()).toBe(1)
  await second
  expect(individual()).toBe(2)
})

test('rejects a response without a list', async () => {
  const { network } = azureClients(wireOf(() => ({ body: {} })))
  const read = batchedRead<{ readonly name?: string }>(
    {
      label: 'address',
      get: (group, name, options) => network.publicIPAddresses.get(group, name, options),
      list: (group, options) => network.publicIPAddresses.list(group, options),
    },
    1,
    readLimiter(1),
  )
  const both = Promise.all(['a', 'b'].map((name) => read('labs', name, AbortSignal.timeout(10_000))))
  await expect(both).rejects.toMatchObject({ kind: 'unreachable' })
})

test('returns null for every resource of a missing group', async () => {
  const { network } = azureClients(wireOf(() => ABSENT))
  const read = batchedRead<{ readonly name?: string }>(
    {
      label: 'address',
      get: (group, name, options) => network.publicIPAddresses.get(group, name, options),
      list: (group, options) => network.publicIPAddresses.list(group, options),
    },
    1,
    readLimiter(1),
  )
  const again = () => Promise.all(['a', 'b'].map((name) => read('labs', name, AbortSignal.timeout(10_000), 'old')))
  expect(await again()).toEqual([null, null])
})
