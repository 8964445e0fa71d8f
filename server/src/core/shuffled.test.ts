import { expect, test } from 'vitest'
import { shuffled } from './shuffled.ts'

const THINGS = Array.from({ length: 100 }, (_, i) => i)
const ROUNDS = 2_000

test('nothing is lost or added, and what is given stays as it is', () => {
  const given = [...THINGS]
  expect(shuffled(given).toSorted((one, other) => one - other)).toEqual(THINGS)
  expect(given).toEqual(THINGS)
})

test('each comes first ten as often as any other, wherever it was', () => {
  const times = THINGS.map(() => 0)
  for (let round = 0; round < ROUNDS; round++) {
    for (const thing of shuffled(THINGS).slice(0, 10)) times[thing]! += 1
  }
  // One in ten: 200 of 2000, and seven standard deviations (13.4) of that on both sides.
  expect(Math.min(...times)).toBeGreaterThan(200 - 94)
  expect(Math.max(...times)).toBeLessThan(200 + 94)
})
