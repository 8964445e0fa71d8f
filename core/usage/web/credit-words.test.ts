import { expect, test } from 'vitest'
import { creditWords, usageWords } from './credit-words.ts'

test.each([
  ['limit', 50_000, 'credit left'],
  ['limit', -50_000, 'over the credit limit'],
  ['prepaid', 50_000, 'prepaid credit left'],
  ['prepaid', -50_000, 'over the prepaid credit'],
] as const)('says of %s credit of %i paise: %s', (kind, leftPaise, words) => {
  expect(creditWords({ kind, leftPaise, countsUsage: true })).toEqual(['₹500', words])
})

test('says whether usage counts', () => {
  const credit = { kind: 'limit', leftPaise: 0 } as const
  expect(usageWords({ ...credit, countsUsage: true })).toBe('after the usage so far')
  expect(usageWords({ ...credit, countsUsage: false })).toBe('before usage not invoiced yet')
})
