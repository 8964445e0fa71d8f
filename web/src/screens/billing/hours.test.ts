import { expect, it } from 'vitest'
import { formatExact, formatHours } from './hours.ts'

it('writes hours and what they cost', () => {
  expect([5400, 59, 360_000].map(formatHours)).toEqual(['1.50', '0.02', '100.00'])
  // Half an hour at 12.50; a second at 12.50, which is a third of a paisa.
  expect([1800 * 1250, 1250].map(formatExact)).toEqual(['₹6.2500', '₹0.0035'])
})
