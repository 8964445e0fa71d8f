import { expect, test } from 'vitest'
import { paise, paiseOfRupees, rupeesOfPaise } from './money.ts'

/** Returns the JSON number that represents a whole number of paise as rupees. */
const written = (amount: number): number =>
  JSON.parse(`${Math.floor(amount / 100)}.${String(amount % 100).padStart(2, '0')}`) as number

/** Returns every `step`-th amount from 0 to `last` paise that does not survive the round trip. */
function wrong(last: number, step: number): number[] {
  const found: number[] = []
  for (let amount = 0; amount <= last; amount += step) {
    const rupees = written(amount)
    if (paiseOfRupees(rupees) !== amount || rupeesOfPaise(paise(amount)) !== rupees) found.push(amount)
  }
  return found
}

test('0.29 rupees is 29 paise', () => {
  expect(paiseOfRupees(0.29)).toBe(29)
})

test('converts without loss every amount up to 5,000 rupees, and every 1,009th paisa up to 10^7 rupees', () => {
  expect(wrong(500_000, 1)).toEqual([])
  expect(wrong(1_000_000_000, 1009)).toEqual([])
})

test.each([0.001, 0.295, 1e-9, 9_999_999.999, Number.NaN, Number.POSITIVE_INFINITY, 1e300])(
  'rejects %d, which is not a whole number of paise',
  (rupees) => {
    expect(paiseOfRupees(rupees)).toBeNull()
  },
)
