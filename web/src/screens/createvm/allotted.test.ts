import { expect, test } from 'vitest'
import { allottedOf } from './allotted.ts'
import { allottedPrice, hourlyPrice } from './price.ts'

// @covers R4.19 R10.2
test('hours are sent as minutes, and zero or nothing means no limit', () => {
  expect(allottedOf('20')).toEqual({ minutes: 1200 })
  expect(allottedOf('1.5')).toEqual({ minutes: 90 })
  expect(allottedOf('')).toEqual({ minutes: null })
  expect(allottedOf(' 0 ')).toEqual({ minutes: null })
})

test.each(['-1', 'ten', '1e999', '9000', '0.001'])(
  '%s hours are refused: none of them may become "no limit"',
  (typed) => {
    expect(allottedOf(typed)).toHaveProperty('problem')
  },
)

// @covers R10.4
test('browser access costs 5 rupees more an hour for each machine, to the paisa', () => {
  expect(hourlyPrice(18.5, 3, false)).toBe(55.5)
  expect(hourlyPrice(18.5, 3, true)).toBe(70.5)
  expect(hourlyPrice(0.29, 3, false)).toBe(0.87)
  expect(hourlyPrice(40, 0, true)).toBe(0)
})

test('the price of the allotted hours equals the bill: rounded half up once a machine', () => {
  expect(allottedPrice(18.5, 3, false, 1200)).toBe(1110)
  expect(allottedPrice(18.5, 3, true, 1200)).toBe(1410)
  // Half an hour at 0.29 rupees is 14.5 paise, so 15 for each.
  expect(allottedPrice(0.29, 2, false, 30)).toBe(0.3)
  expect(allottedPrice(40, 0, true, 60)).toBe(0)
})
