import { expect, test } from 'vitest'
import { allottedOf } from '@trainyard/trainings/web/allotted.ts'
import { allottedPrice, hourlyPrice } from './price.ts'

test('converts hours to minutes, and zero or nothing to no limit', () => {
  expect(allottedOf('20')).toEqual({ minutes: 1200 })
  expect(allottedOf('1.5')).toEqual({ minutes: 90 })
  expect(allottedOf('')).toEqual({ minutes: null })
  expect(allottedOf(' 0 ')).toEqual({ minutes: null })
})

test.each(['-1', 'ten', '1e999', '9000', '0.001'])('rejects %s hours instead of reading them as no limit', (typed) => {
  expect(allottedOf(typed)).toHaveProperty('problem')
})

test('adds 5 rupees per machine and hour for browser access, exact to the paisa', () => {
  expect(hourlyPrice(18.5, 3, false)).toBe(55.5)
  expect(hourlyPrice(18.5, 3, true)).toBe(70.5)
  expect(hourlyPrice(0.29, 3, false)).toBe(0.87)
  expect(hourlyPrice(40, 0, true)).toBe(0)
})

test('prices allocated hours like the bill: rounded half up once per machine', () => {
  expect(allottedPrice(18.5, 3, false, 1200)).toBe(1110)
  expect(allottedPrice(18.5, 3, true, 1200)).toBe(1410)
  // Half an hour at 0.29 rupees is 14.5 paise, so 15 per machine.
  expect(allottedPrice(0.29, 2, false, 30)).toBe(0.3)
  expect(allottedPrice(40, 0, true, 60)).toBe(0)
})
