import { describe, expect, it } from 'vitest'
import { parseRupees, formatRupeesInput } from './amount.ts'

describe('entered amounts', () => {
  it.each([
    ['1200', 1200],
    ['0.29', 0.29],
    ['.5', 0.5],
    ['12.', 12],
    [' ₹1,23,456.70 ', 123456.7],
    ['-5', -5],
    ['10000000.01', 10000000.01],
  ])('parses %j as %d rupees', (text, rupees) => {
    expect(parseRupees(text)).toBe(rupees)
  })

  it.each(['', ' ', '.', '₹', '0.001', '1e9', 'ten', '1.2.3', '0x10', 'Infinity', '--1'])('rejects %j', (text) => {
    expect(parseRupees(text)).toBeNull()
  })

  it('formats an amount as it would be entered', () => {
    expect([1200, 0.3, 61_360.5].map(formatRupeesInput)).toEqual(['1200', '0.30', '61360.50'])
  })
})
