import { expect, test } from 'vitest'
import { isOpenAt } from './conflicts.ts'

// 4 January 2027 is a Monday.
const day = (ofWeek: number) => `2027-01-0${3 + ofWeek}`
const window = (start: string | null, stop: string | null, days: number[] | null = null) => ({ start, stop, days })

test.each([
  [window(null, null), 1, '03:00', true],
  [window('09:00', '17:00'), 1, '08:59', false],
  [window('09:00', '17:00'), 1, '09:00', true],
  [window('09:00', '17:00'), 1, '16:59', true],
  [window('09:00', '17:00'), 1, '17:00', false],
  [window('09:00', '17:00', [2]), 1, '12:00', false],
  [window('09:00', '17:00', [2]), 2, '12:00', true],
  // This window spans midnight: it opens in the evening of each of its days and closes the next morning.
  [window('22:00', '06:00'), 3, '21:59', false],
  [window('22:00', '06:00'), 3, '22:00', true],
  [window('22:00', '06:00'), 3, '05:59', true],
  [window('22:00', '06:00'), 3, '06:00', false],
  [window('22:00', '06:00', [5]), 5, '23:00', true],
  [window('22:00', '06:00', [5]), 5, '03:00', false],
  [window('22:00', '06:00', [5]), 6, '03:00', true],
  [window('22:00', '06:00', [5]), 6, '12:00', false],
  [window('22:00', '06:00', [5]), 6, '23:00', false],
  [window('22:00', '06:00', [7]), 1, '03:00', true],
  [window('22:00', '06:00', [1]), 1, '03:00', false],
])('window %j on weekday %i at %s: open = %s', (window, ofWeek, time, expected) => {
  const access = { ...window, timeZone: 'UTC', extendedUntil: null, open: false, inSession: false }
  expect(isOpenAt(access, day(ofWeek), time)).toBe(expected)
})
