import { describe, expect, it } from 'vitest'
import { rupeesTyped, typedRupees } from './amount.ts'

describe('an amount as it is typed', () => {
  it.each([
    ['1200', 1200],
    ['0.29', 0.29],
    ['.5', 0.5],
    ['12.', 12],
    [' ₹1,23,456.70 ', 123456.7],
    ['-5', -5],
    ['10000000.01', 10000000.01],
  ])('%j is %d rupees', (text, rupees) => {
    expect(rupeesTyped(text)).toBe(rupees)
  })

  it.each(['', ' ', '.', '₹', '0.001', '1e9', 'ten', '1.2.3', '0x10', 'Infinity', '--1'])('%j is none', (text) => {
    expect(rupeesTyped(text)).toBeNull()
  })

  it('is written into a field as it would be typed', () => {
    expect([1200, 0.3, 61_360.5].map(typedRupees)).toEqual(['1200', '0.30', '61360.50'])
  })
})
