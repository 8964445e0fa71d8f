import { expect, test } from 'vitest'
import { aloneEvery, type Kind, lookTogether } from './look-together.ts'
import { ABSENT, wireOf } from '#test/azure-wire.ts'
import { azureClients } from './clients.ts'

/** Addresses of a group, on pages of two, at a wire that notes what it is asked. */
function addresses(existing: readonly string[], everyMs = 1) {
  const asked: string[] = []
  const described = (name: string) => ({ name, properties: { provisioningState: 'Succeeded' } })
  const { network } = azureClients(
    wireOf((_, path, query) => {
      const name = path.split('/publicIPAddresses/')[1]
      if (name !== undefined) {
        const found = existing.find((one) => one.toLowerCase() === name.toLowerCase())
        if (found !== undefined) return { body: described(found) }
        return { status: 404, body: { error: { code: 'ResourceNotFound', message: 'Not found.' } } }
      }
      const from = Number(query.get('$skiptoken') ?? '0')
      const more = from + 2 < existing.length
      const nextLink = `https://management.azure.com${path}?api-version=1&$skiptoken=${from + 2}`
      const value = existing.slice(from, from + 2).map(described)
      return { body: { value, ...(more ? { nextLink } : {}) } }
    }, asked),
  )
  const kind: Kind<{ readonly name?: string }> = {
    called: 'address',
    alone: (group, name, options) => network.publicIPAddresses.get(group, name, options),
    list: (group, options) => network.publicIPAddresses.list(group, options),
  }
  const look = lookTogether(kind, everyMs, aloneEvery(everyMs))
  const listed = () => asked.filter((one) => one.endsWith('/publicIPAddresses')).length
  return {
    look: (name: string, group = 'labs') => look(group, name, AbortSignal.timeout(10_000)),
    listed,
    alone: () => asked.length - listed(),
  }
}

test('one that waits by itself is asked for alone; one that is not there is nothing', async () => {
  const { look, listed, alone } = addresses(['a'])
  expect(await look('A')).toMatchObject({ name: 'a' })
  expect(await look('b')).toBeNull()
  expect([listed(), alone()]).toEqual([0, 2])
})

test('several that wait in one group are answered by one list, however they and it are written', async () => {
  const { look, listed, alone } = addresses(['A', 'b', 'c'])
  expect(await Promise.all([look('a'), look('B', 'LABS'), look('c')])).toMatchObject([
    { name: 'A' },
    { name: 'b' },
    { name: 'c' },
  ])
  // Its second page has the last of them.
  expect([listed(), alone()]).toEqual([2, 0])
})

test('groups do not wait for each other', async () => {
  const { look, listed, alone } = addresses(['a', 'b'])
  await Promise.all([look('a', 'one'), look('b', 'two')])
  expect([listed(), alone()]).toEqual([0, 2])
})

test('the list is left as soon as all were on it; who is on none of its pages is asked for alone', async () => {
  const { look, listed, alone } = addresses(['a', 'b', 'c', 'd', 'e'])
  expect(await Promise.all([look('a'), look('b')])).toMatchObject([{ name: 'a' }, { name: 'b' }])
  expect([listed(), alone()]).toEqual([1, 0])
  const small = addresses(['a', 'b'])
  expect(await Promise.all([small.look('a'), small.look('z')])).toMatchObject([{ name: 'a' }, null])
  expect([small.listed(), small.alone()]).toEqual([1, 1])
  // The list was read to its end: it is no longer than asking each.
  await Promise.all([small.look('a'), small.look('b')])
  expect([small.listed(), small.alone()]).toEqual([2, 1])
})

test('a list with more pages than there are who wait is left, and that group is listed no more', async () => {
  const { look, listed, alone } = addresses(['v', 'w', 'x', 'y', 'a', 'b'])
  expect(await Promise.all([look('a'), look('b')])).toMatchObject([{ name: 'a' }, { name: 'b' }])
  expect([listed(), alone()]).toEqual([2, 2])
  await Promise.all([look('a'), look('b')])
  expect([listed(), alone()]).toEqual([2, 4])
})

test('a group is looked at again only after the pause', async () => {
  const { look } = addresses(['a'], 200)
  await look('a')
  const began = performance.now()
  await look('a')
  expect(performance.now() - began).toBeGreaterThan(150)
})

test('a reply without a list is none', async () => {
  const { network } = azureClients(wireOf(() => ({ body: {} })))
  const look = lookTogether<{ readonly name?: string }>(
    {
      called: 'address',
      alone: (group, name, options) => network.publicIPAddresses.get(group, name, options),
      list: (group, options) => network.publicIPAddresses.list(group, options),
    },
    1,
    aloneEvery(1),
  )
  const both = Promise.all(['a', 'b'].map((name) => look('labs', name, AbortSignal.timeout(10_000))))
  await expect(both).rejects.toMatchObject({ kind: 'unreachable' })
})

test('in a group that is not there stands nothing', async () => {
  const { network } = azureClients(wireOf(() => ABSENT))
  const look = lookTogether<{ readonly name?: string }>(
    {
      called: 'address',
      alone: (group, name, options) => network.publicIPAddresses.get(group, name, options),
      list: (group, options) => network.publicIPAddresses.list(group, options),
    },
    1,
    aloneEvery(1),
  )
  const again = () => Promise.all(['a', 'b'].map((name) => look('labs', name, AbortSignal.timeout(10_000), 'long')))
  expect(await again()).toEqual([null, null])
})
