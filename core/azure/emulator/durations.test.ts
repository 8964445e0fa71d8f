import { expect, test } from 'vitest'
import { durationOf, type DurationKind } from './durations.ts'

const names = Array.from({ length: 2000 }, (_, index) => `linux-101-${index}`)

/** Recorded at Azure, in seconds: median and 90th percentile. */
test.each<[DurationKind, number, number]>([
  ['machineCreateLinux', 77, 148],
  ['machineCreateWindows', 624, 678],
  ['machineStart', 10, 62],
  ['machineDeallocate', 41, 111],
  ['machineDelete', 39, 121],
  ['accountReset', 21, 460],
  ['imageVersion', 407, 481],
  ['groupDelete', 126, 467],
])('%s has a median of %i s and a 90th percentile of %i s', (kind, median, p90) => {
  const sorted = names.map((name) => durationOf(kind, name)).toSorted((a, b) => a - b)
  const relativeError = (seconds: number, expected: number) =>
    Math.abs(Math.log(seconds / expected)) / Math.log(p90 / median)
  expect(relativeError(sorted[1000]!, median)).toBeLessThan(0.15)
  expect(relativeError(sorted[1800]!, p90)).toBeLessThan(0.15)
})

test('takes the same time for the same work on the same name, ignoring case', () => {
  expect(durationOf('machineStart', 'Lab-1')).toBe(durationOf('machineStart', 'lab-1'))
  expect(new Set(names.map((name) => durationOf('machineStart', name))).size).toBeGreaterThan(1700)
})
