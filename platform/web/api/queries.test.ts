import { skipToken } from '@tanstack/react-query'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Reader } from './client.ts'
import { ApiError } from './error.ts'
import { queries } from './cache.ts'
import { invalidate, query } from './queries.ts'

afterEach(() => queries.clear())

/** Returns a call that replies with the number of times it was made. */
function counted<I>(module: string, name: string): Reader<I, number> {
  let requestCount = 0
  const call = async () => {
    requestCount += 1
    return requestCount
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

describe('a read that fails', () => {
  afterEach(() => void vi.useRealTimers())

  /** Fetches a call that fails until `times` calls were made. Returns the seconds between the calls. */
  async function pausesOf(failure: ApiError, times = Infinity): Promise<number[]> {
    vi.useFakeTimers()
    const at: number[] = []
    const call = Object.assign(
      async () => {
        at.push(Date.now())
        if (at.length < times) throw failure
        return 'here'
      },
      { key: ['port', 'list'] as const },
    )
    const fetched = queries.fetchQuery({ ...query(call as Reader<undefined, string>), retry: RETRY }).catch(() => null)
    await vi.runAllTimersAsync()
    await fetched
    return at.slice(1).map((time, index) => (time - at[index]!) / 1000)
  }
  const RETRY = queries.getDefaultOptions().queries!.retry!
  const busyError = (retryAfter: number | null, status = 503) =>
    new ApiError('Busy.', status, 'unavailable', retryAfter)

  test('is repeated with a growing pause that differs between browsers', async () => {
    const pauses = await pausesOf(busyError(null))
    expect(pauses).toHaveLength(3)
    for (const [index, pause] of pauses.entries()) {
      expect(pause).toBeGreaterThanOrEqual(2 ** index)
      expect(pause).toBeLessThanOrEqual(2 ** index * 1.5)
    }
    expect(new Set(pauses.map((pause, index) => pause / 2 ** index)).size).toBeGreaterThan(1)
  })

  test('waits as long as the server asks with Retry-After, and not all browsers equally long', async () => {
    const pauses = await pausesOf(busyError(7))
    expect(pauses).toHaveLength(3)
    for (const pause of pauses) expect(pause).toBeGreaterThanOrEqual(7)
    expect(new Set(pauses).size).toBeGreaterThan(1)
  })

  test('is shown at once if the server asks for a longer pause than a user waits for', async () => {
    expect(await pausesOf(busyError(60))).toEqual([])
  })

  test('is repeated after a rate limit with Retry-After, but not within 15 s, and not after another refusal', async () => {
    const pauses = await pausesOf(busyError(3, 429), 2)
    expect(pauses).toHaveLength(1)
    expect(pauses[0]).toBeGreaterThanOrEqual(15)
    expect(await pausesOf(busyError(null, 409))).toEqual([])
  })
})
