import { expect, it } from 'vitest'
import { formatInstant, formatSeconds } from './time.ts'

it("formats an instant in the organisation's time zone", () => {
  expect(formatInstant('2026-11-20T20:05:09Z', 'Asia/Kolkata')).toBe('01:35:09, 21 Nov 2026')
  expect(formatInstant('2026-07-01T00:00:00Z', 'America/New_York')).toBe('20:00:00, 30 Jun 2026')
})

it('formats seconds as hours, minutes and seconds', () => {
  expect([0, 59, 3600, 26 * 3600 + 5 * 60 + 9].map(formatSeconds)).toEqual([
    '0:00:00',
    '0:00:59',
    '1:00:00',
    '26:05:09',
  ])
})
