import { expect, test } from 'vitest'
import { removedAt, secondsUntil, vanishedAt } from './absence.ts'

const T0 = new Date('2026-11-01T10:00:00Z')
const after = (seconds: number) => new Date(T0.getTime() + seconds * 1000)

/**
 * Seconds of absence, creation and last sighting, then the seconds after which the resource counts as deleted, without
 * and with a requested deletion.
 */
test.each([
  [0, null, null, 60, 10],
  [0, null, -5, 60, 10],
  // A creation that was sent may still complete, until it has been seen.
  [0, -10, null, 290, 290],
  [0, -10, -11, 290, 290],
  [0, -10, -10, 290, 10],
  [0, -10, -5, 290, 10],
  [0, -300, null, 60, 60],
  [0, -299, null, 60, 60],
  [100, -10, -5, 290, 110],
])('absent at %s, created at %s, seen at %s: deleted at %s, or at %s if requested', (...row) => {
  const [absent, created, seen, vanished, removed] = row
  const missing = {
    absent_at: after(absent),
    create_sent_at: created === null ? null : after(created),
    seen_at: seen === null ? null : after(seen),
  }
  expect((vanishedAt(missing) - T0.getTime()) / 1000).toBe(vanished)
  expect((removedAt(missing) - T0.getTime()) / 1000).toBe(removed)
})

test.each([
  [5_000, 5],
  [4_001, 5],
  [0, 0],
  [-1, 0],
])('an instant in %d ms is %d seconds away', (ahead, seconds) => {
  expect(secondsUntil(T0.getTime() + ahead, T0)).toBe(seconds)
})
