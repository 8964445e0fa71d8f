import { expect, test } from 'vitest'
import { creditsLeft, mayCreate } from './account.ts'

test('what is left is exact to the paisa', () => {
  expect(creditsLeft({ total: 1_000, consumed: 214.45 })).toBe(785.55)
  expect(creditsLeft({ total: 0.3, consumed: 0.1 })).toBe(0.2)
})

test('one more is asked for while a paisa is left, and else the reason is said', () => {
  expect(mayCreate({ total: 1_000, consumed: 999.99 })).toBe(true)
  expect(mayCreate({ total: 1_000, consumed: 1_000 })).toBe('No credits are left.')
  expect(mayCreate({ total: 1_000, consumed: 1_000.01 })).toBe('No credits are left.')
})
