import { expect, test } from 'vitest'
import { increaseOf } from './increase.ts'

test('converts hours to minutes', () => {
  expect(increaseOf('12')).toEqual({ hours: 12, minutes: 720 })
  expect(increaseOf(' 1.5 ')).toEqual({ hours: 1.5, minutes: 90 })
})

test.each(['', ' ', '0', '-3', 'ten', '0.001', 'Infinity', '1e12'])('rejects %j', (entered) => {
  expect(increaseOf(entered)).toBeNull()
})
