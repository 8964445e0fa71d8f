import { expect, test } from 'vitest'
import { expiryText, expiryWarning } from './expiry.ts'

test.each([
  [31, null, 'expires in 31 days'],
  [30, null, 'expires in 30 days'],
  [29, 30, 'expires in 29 days'],
  [7, 30, 'expires in 7 days'],
  [6, 7, 'expires in 6 days'],
  [1, 7, 'expires in 1 day'],
  [0, 1, 'expires today'],
  [-1, 1, 'has expired'],
] as const)('a secret with %i whole days left: warning %s', (days, warning, words) => {
  expect(expiryWarning(days)).toBe(warning)
  expect(expiryText('The secret', days, '2026-12-01')).toBe(`The secret ${words} (2026-12-01).`)
})
