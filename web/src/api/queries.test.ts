import { skipToken } from '@tanstack/react-query'
import { afterEach, expect, test } from 'vitest'
import type { Reader } from './client.ts'
import { invalidate, queries, query } from './queries.ts'

afterEach(() => queries.clear())

/** Returns a call that replies with the number of times it was made. */
function counted<I>(module: string, name: string): Reader<I, number> {
  let made = 0
  const call = async () => {
    made += 1
    return made
  }
  return Object.assign(call, { key: [module, name] as const })
}

test('makes no call while the input is null', () => {
  const list = counted<{ trainingName: string }>('port', 'list')
  expect(query(list, null).queryFn).toBe(skipToken)
  expect(query(list, { trainingName: 'Linux 101' }).queryFn).not.toBe(skipToken)
})

test('shares one reply between equal inputs', async () => {
  const list = counted<{ trainingName: string; organization?: string }>('port', 'list')
  const fetched = { staleTime: Infinity }
  const linux = { trainingName: 'Linux 101' }
  expect(await queries.fetchQuery({ ...query(list, linux), ...fetched })).toBe(1)
  expect(await queries.fetchQuery({ ...query(list, { ...linux, organization: undefined }), ...fetched })).toBe(1)
  expect(await queries.fetchQuery({ ...query(list, { trainingName: 'Linux 102' }), ...fetched })).toBe(2)
})

test('invalidates only the replies of the given module or call', async () => {
  const ports = counted<undefined>('port', 'list')
  const names = counted<undefined>('training', 'names')
  const bill = counted<undefined>('meter', 'bill')
  const calls = [ports, names, bill]
  await Promise.all(calls.map((call) => queries.fetchQuery(query(call))))
  const invalid = () =>
    calls.filter((call) => queries.getQueryState(query(call).queryKey)!.isInvalidated).map(({ key }) => key.join('.'))

  await invalidate('port')
  expect(invalid()).toEqual(['port.list'])
  await invalidate(names)
  expect(invalid()).toEqual(['port.list', 'training.names'])
})
