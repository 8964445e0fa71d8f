import { expect, test } from 'vitest'
import { paise, paiseOfRupees, rupeesOfPaise } from './money.ts'

/** Rupees as they stand in JSON, from a whole number of paise. */
const written = (amount: number): number =>
  JSON.parse(`${Math.floor(amount / 100)}.${String(amount % 100).padStart(2, '0')}`) as number

/** The amounts from 0 to `last` paise, each `step`-th, that do not come out as they went in. */
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

test('so is every amount with two decimals: all up to 5,000 rupees, and every 1,009th paisa up to 10^7', () => {
  expect(wrong(500_000, 1)).toEqual([])
  expect(wrong(1_000_000_000, 1009)).toEqual([])
})

test.each([0.001, 0.295, 1e-9, 9_999_999.999, Number.NaN, Number.POSITIVE_INFINITY, 1e300])(
  '%d is no amount of paise',
  (rupees) => {
    expect(paiseOfRupees(rupees)).toBeNull()
  },
)
