import { expect, it } from 'vitest'
import { formatInstant } from './time.ts'

it("shows an instant on the clock of the organisation's zone", () => {
  expect(formatInstant('2026-11-20T20:05:09Z', 'Asia/Kolkata')).toBe('01:35:09, 21 Nov 2026')
  expect(formatInstant('2026-07-01T00:00:00Z', 'America/New_York')).toBe('20:00:00, 30 Jun 2026')
})
