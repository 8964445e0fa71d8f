import { expect, test } from 'vitest'
import {
  formatRupees,
  formatRupeesInput,
  numberProblem,
  paise,
  paiseOfRupees,
  parseNumber,
  parseRupees,
  rupeesIn,
  rupeesOfPaise,
} from './money.ts'

/** Returns the JSON number that represents a whole number of paise as rupees. */
const written = (amount: number): number =>
  JSON.parse(`${Math.floor(amount / 100)}.${String(amount % 100).padStart(2, '0')}`) as number

/** Returns every `step`-th amount from 0 to `last` paise that does not survive the round trip. */
function wrong(last: number, step: number): number[] {
  const found: number[] = []
  for (let amount = 0; amount <= last; amount += step) {
    const rupees = written(amount)
    if (paiseOfRupees(rupees) !== amount || rupeesOfPaise(paise(amount)) !== rupees) found.push(amount)
  }
  return found
}

test('0.29 rupees is 29 paise', () => {
  expect(paiseOfRupees(0.29)).toBe(29)
})

test('converts without loss every amount up to 5,000 rupees, and every 1,009th paisa up to 10^7 rupees', () => {
  expect(wrong(500_000, 1)).toEqual([])
  expect(wrong(1_000_000_000, 1009)).toEqual([])
})

test.each([0.001, 0.295, 1e-9, 9_999_999.999, Number.NaN, Number.POSITIVE_INFINITY, 1e300])(
  'rejects %d, which is not a whole number of paise',
  (rupees) => {
    expect(paiseOfRupees(rupees)).toBeNull()
  },
)

test.each([
  ['1200', 1200],
  ['0.29', 0.29],
  ['.5', 0.5],
  ['12.', 12],
  [' ₹1,23,456.70 ', 123456.7],
  ['123,456.70', 123456.7],
  ['1,00,00,000', 10_000_000],
  ['-5', -5],
  ['10000000.01', 10_000_000.01],
])('parses the typed amount %j as %d rupees', (text, rupees) => {
  expect(parseRupees(text)).toBe(rupees)
})

const NO_NUMBERS = ['', ' ', '.', '1e9', 'ten', '1.2.3', '0x10', 'Infinity', '--1']
const WITH_SPACES = ['8 00', '1 00 000', ' 1\u00a000\u00a0000 ', '12 .5']
const WRONG_COMMAS = [
  '800,00',
  '1,0',
  '12,34',
  ',800',
  '1,,000',
  '1,000,00',
  '1,00,00',
  '1000,000',
  '1,000.5,0',
  '0,001,5',
]

test.each([...NO_NUMBERS, ...WITH_SPACES, ...WRONG_COMMAS, '₹', '0.001', '12.500'])(
  'rejects the typed amount %j',
  (text) => {
    expect(parseRupees(text)).toBeNull()
  },
)

test.each([...NO_NUMBERS, ...WITH_SPACES, ...WRONG_COMMAS])('rejects the typed number %j', (text) => {
  expect(parseNumber(text)).toBeNull()
})

test.each(['2.500', '₹1,000.000', '-0.100'])('reads %j, which may mean a thousand times as much, as NaN', (text) => {
  expect(rupeesIn(text)).toBeNaN()
})

test('leaves other refused amounts to the shape', () => {
  expect(['-5', '12.345', '1,00,00,00,00,00,00,00,000'].map(rupeesIn)).toEqual([-5, 12.345, 1e17])
})

test('names the comma as the reason only if the comma is the reason', () => {
  expect(new Set(WRONG_COMMAS.map((text) => numberProblem(text, 'Other')))).toEqual(
    new Set(['Use commas only as in 1,00,000 or 100,000, and a point before decimals.']),
  )
  expect([...NO_NUMBERS, '0', '1,000', '₹1,000.00'].map((text) => numberProblem(text, 'Other'))).toEqual(
    Array.from({ length: NO_NUMBERS.length + 3 }, () => 'Other'),
  )
})

test('names spaces as the reason that a number is refused', () => {
  for (const text of [...WITH_SPACES, '₹ 1 000'])
    expect(numberProblem(text, 'Other')).toBe('Enter the number without spaces, as in 1,00,000 or 100000.')
  expect(numberProblem(' ₹ 1,000 ', 'Other')).toBe('Other')
})

test('reads every amount as the portal prints it', () => {
  for (const amount of [0, 0.5, -5, 999, 1_000, 99_999.99, 100_000, 12_345_678.9, 1_000_000_000]) {
    expect([parseRupees(formatRupees(amount)), parseRupees(formatRupeesInput(amount))]).toEqual([amount, amount])
  }
  expect([1200, 0.3, 61_360.5].map(formatRupeesInput)).toEqual(['1200', '0.30', '61360.50'])
})
