import { expect, test } from 'vitest'
import { durationOf, type Work } from '#src/azure/durations.ts'

const names = Array.from({ length: 2000 }, (_, index) => `linux-101-${index}`)

/** As recorded of Azure, in seconds: the middle, and what nine in ten do not exceed. */
test.each<[Work, number, number]>([
  ['machineCreateLinux', 77, 148],
  ['machineCreateWindows', 624, 678],
  ['machineStart', 10, 62],
  ['machineDeallocate', 41, 111],
  ['machineDelete', 39, 121],
  ['accountReset', 21, 460],
  ['imageVersion', 407, 481],
  ['groupDelete', 126, 467],
])('%s takes %i s in the middle, and no more than %i s nine times in ten', (work, middle, late) => {
  const sorted = names.map((name) => durationOf(work, name)).toSorted((one, other) => one - other)
  const near = (seconds: number, wanted: number) => Math.abs(Math.log(seconds / wanted)) / Math.log(late / middle)
  expect(near(sorted[1000]!, middle)).toBeLessThan(0.15)
  expect(near(sorted[1800]!, late)).toBeLessThan(0.15)
})

test('the same work on the same name always takes as long, whatever its case', () => {
  expect(durationOf('machineStart', 'Lab-1')).toBe(durationOf('machineStart', 'lab-1'))
  expect(new Set(names.map((name) => durationOf('machineStart', name))).size).toBeGreaterThan(1700)
})
