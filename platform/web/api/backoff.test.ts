import { expect, test } from 'vitest'
import { pauseAfter, retryAfterOf } from './backoff.ts'

test('pauses double up to half a minute, and spread by half', () => {
  for (const [failures, seconds] of [
    [0, 1],
    [1, 2],
    [4, 16],
    [5, 30],
    [500, 30],
  ] as const) {
    const pauses = Array.from({ length: 200 }, () => pauseAfter(failures) / 1000)
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(seconds)
    expect(Math.max(...pauses)).toBeLessThanOrEqual(seconds * 1.5)
    expect(Math.max(...pauses) - Math.min(...pauses)).toBeGreaterThan(seconds * 0.25)
  }
})

test('pauses are never shorter than the server asks', () => {
  const pauses = Array.from({ length: 200 }, () => pauseAfter(0, 20))
  expect(Math.min(...pauses)).toBeGreaterThanOrEqual(20_000)
  expect(Math.max(...pauses)).toBeGreaterThan(25_000)
})

test('Retry-After is read as seconds or as a date', () => {
  const secondsOf = (text?: string) =>
    retryAfterOf(new Response(null, text === undefined ? {} : { headers: { 'retry-after': text } }))
  expect([secondsOf('5'), secondsOf(), secondsOf('soon')]).toEqual([5, null, null])
  const inTenSeconds = secondsOf(new Date(Date.now() + 10_000).toUTCString())
  expect(inTenSeconds).toBeGreaterThan(8)
  expect(inTenSeconds).toBeLessThanOrEqual(10)
})
