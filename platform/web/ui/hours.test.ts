import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { formatExact, formatHours, hoursAllotted, hoursText, hoursUsed } from './hours.ts'

it('formats hours and exact costs with their decimals', () => {
  expect([5400, 59, 360_000].map(formatHours)).toEqual(['1.50', '0.02', '100.00'])
  // Half an hour at 12.50 rupees; one second at 12.50 rupees, a third of a paisa.
  expect([1800 * 1250, 1250].map(formatExact)).toEqual(['₹6.2500', '₹0.0035'])
})

it('is the only place where measured hours are formatted, so that all have two decimals', () => {
  const root = join(import.meta.dirname, '../../..')
  const files = globSync('{core,addons}/*/web/**/*.{ts,tsx}', { cwd: root })
  const formatting = files.filter((file) =>
    /3_?600[^\n]*toFixed|hours\.format|\$\{hoursOfMinutes/.test(readFileSync(join(root, file), 'utf8')),
  )
  expect(files.length).toBeGreaterThan(100)
  expect(formatting).toEqual([])
})

it('formats used hours with two decimals and allocated hours as given, both grouped', () => {
  expect([0, 0.06, 0.3, 90, 75_000].map(hoursUsed)).toEqual(['0.00', '<0.01', '0.01', '1.50', '1,250.00'])
  expect([600, 90, 75_000, 6_000_000].map(hoursAllotted)).toEqual(['10', '1.5', '1,250', '1,00,000'])
  expect([30, 60, 90].map(hoursText)).toEqual(['0.5 hours', '1 hour', '1.5 hours'])
})
