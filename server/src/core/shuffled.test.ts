import { expect, test } from 'vitest'
import { shuffled } from './shuffled.ts'

const THINGS = Array.from({ length: 100 }, (_, i) => i)
const ROUNDS = 2_000

test('returns the same elements and leaves the input unchanged', () => {
  const given = [...THINGS]
  expect(shuffled(given).toSorted((one, other) => one - other)).toEqual(THINGS)
  expect(given).toEqual(THINGS)
})

test('puts each element in the first ten positions equally often', () => {
  const times = THINGS.map(() => 0)
  for (let round = 0; round < ROUNDS; round++) {
    for (const thing of shuffled(THINGS).slice(0, 10)) times[thing]! += 1
  }
  // Expected: one in ten, 200 of 2000. Tolerance: seven standard deviations (13.4) on both sides.
  expect(Math.min(...times)).toBeGreaterThan(200 - 94)
  expect(Math.max(...times)).toBeLessThan(200 + 94)
})
