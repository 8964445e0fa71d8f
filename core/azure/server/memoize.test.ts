import { expect, test } from 'vitest'
import { memoize } from './memoize.ts'

test('shares work between concurrent callers and caches its result', async () => {
  let count = 0
  const memory = memoize<number>(60_000)
  const make = async () => ++count
  const first = await Promise.all([memory.get('g/a', make), memory.get('g/a', make)])
  expect([...first, await memory.get('g/a', make)]).toEqual([1, 1, 1])
})

test('does not cache a failure', async () => {
  const memory = memoize<number>(60_000)
  await expect(memory.get('g/a', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await memory.get('g/a', async () => 2)).toBe(2)
})

test('repeats work that was forgotten or has expired', async () => {
  let count = 0
  const make = async () => ++count
  const cachedLong = memoize<number>(60_000)
  await cachedLong.get('g/a', make)
  await cachedLong.get('h/a', make)
  cachedLong.forget('g/')
  expect([await cachedLong.get('g/a', make), await cachedLong.get('h/a', make)]).toEqual([3, 2])
  const uncached = memoize<number>(0)
  await uncached.get('g/a', make)
  expect(await uncached.get('g/a', make)).toBe(5)
})
