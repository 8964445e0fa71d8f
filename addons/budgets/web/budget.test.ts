import { expect, test } from 'vitest'
import { usedOf } from './budget.ts'

test('states the used part of a budget', () => {
  const budget = { amountPaise: 800_000, spendingCap: false, usedUp: false, lastDay: null, setBy: 'a', setAt: 'b' }
  expect(usedOf({ spentPaise: 500_000, budget })).toBe('62.5 % of ₹8,000.00')
  expect(usedOf({ spentPaise: 14_100, budget: { ...budget, amountPaise: 1 } })).toBe('more than 999 % of ₹0.01')
  expect(usedOf({ spentPaise: 1, budget: null })).toBe('No budget')
})
