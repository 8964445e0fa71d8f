import { expect, test } from 'vitest'
import { isIn, partsOf, untilNext } from './daily.ts'

const day = { start: '09:00', stop: '18:00' }
const night = { start: '22:00', stop: '06:00' }

test('the start is in the window and the stop is not, over midnight too', () => {
  expect(['08:59', '09:00', '17:59', '18:00'].map((time) => isIn(day, time))).toEqual([false, true, true, false])
  expect(['21:59', '22:00', '00:00', '05:59', '06:00'].map((time) => isIn(night, time))).toEqual([
    false,
    true,
    true,
    true,
    false,
  ])
})

test('a window over midnight has two parts on the day, and one until midnight has one', () => {
  expect(partsOf(day)).toEqual([{ from: 0.375, to: 0.75 }])
  expect(partsOf(night)).toEqual([
    { from: 0, to: 0.25 },
    { from: 22 / 24, to: 1 },
  ])
  expect(partsOf({ start: '18:00', stop: '00:00' })).toEqual([{ from: 0.75, to: 1 }])
})

test('the time until the window opens or closes is written in hours and minutes', () => {
  expect(untilNext(day, '08:10')).toBe('50 min')
  expect(untilNext(day, '15:55')).toBe('2 h 5 min')
  expect(untilNext(day, '18:00')).toBe('15 h')
  expect(untilNext(night, '23:30')).toBe('6 h 30 min')
})
