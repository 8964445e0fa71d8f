import { expect, test } from 'vitest'
import { shuffled } from './shuffled.ts'

const ITEMS = Array.from({ length: 100 }, (_, i) => i)
const ROUNDS = 2_000

test('returns the same elements and leaves the input unchanged', () => {
  const given = [...ITEMS]
  expect(shuffled(given).toSorted((one, other) => one - other)).toEqual(ITEMS)
  expect(given).toEqual(ITEMS)
})

test('puts each element in the first ten positions equally often', () => {
  const times = ITEMS.map(() => 0)
  for (let round = 0; round < ROUNDS; round++) {
    for (const item of shuffled(ITEMS).slice(0, 10)) times[item]! += 1
  }
  // Expected: one in ten, 200 of 2000. Tolerance: seven standard deviations (13.4) on both sides.
  expect(Math.min(...times)).toBeGreaterThan(200 - 94)
  expect(Math.max(...times)).toBeLessThan(200 + 94)
})
