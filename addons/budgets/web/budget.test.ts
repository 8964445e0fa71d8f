import { expect, test } from 'vitest'
import { errorSentence, type Forecast, forecastSentences, runsOut, usedOf } from './budget.ts'

test('states the used part of a budget', () => {
  const budget = { amountPaise: 800_000, spendingCap: false, usedUp: false, lastDay: null, setBy: 'a', setAt: 'b' }
  expect(usedOf({ spentPaise: 500_000, budget })).toBe('62.5 % of ₹8,000.00')
  expect(usedOf({ spentPaise: 14_100, budget: { ...budget, amountPaise: 1 } })).toBe('more than 999 % of ₹0.01')
  expect(usedOf({ spentPaise: 1, budget: null })).toBe('No budget')
})

test('states when a budget runs out, with the date if it is a week or more ahead', () => {
  const asOf = '2026-11-23T06:00:00Z'
  expect(runsOut('2026-11-26T08:50:00Z', asOf, 'Asia/Kolkata')).toBe('runs out Thursday 14:20')
  expect(runsOut('2026-12-03T08:50:00Z', asOf, 'Asia/Kolkata')).toBe('runs out Thursday, 3 Dec, 14:20')
})

test('states the expected spending, when the budget runs out, and the forecast error', () => {
  const forecast: Forecast = {
    asOf: '2026-11-23T06:00:00Z',
    timeZone: 'Asia/Kolkata',
    backtest: { weeks: 12, error: 0.118, naiveError: 0.18 },
    shown: {
      days: Array.from({ length: 8 }, (_, i) => ({ date: `2026-11-${23 + i}`, expectedPaise: 100_000 })),
      runsOutAt: '2026-11-26T08:50:00Z',
      over: { paise: 214_000, lastDay: '2026-11-30' },
    },
  }
  expect(forecastSentences(forecast, true)).toEqual([
    'Expected spending until 29/11/2026: about ₹7,000.00.',
    'The budget runs out Thursday 14:20.',
    '₹2,140.00 over the budget at the end of the training (30/11/2026).',
  ])
  expect(errorSentence(forecast)).toBe('Forecasts of the last 12 weeks were typically off by 12 %.')
  expect(errorSentence({ ...forecast, shown: null })).toBe(
    'No forecast: those of the last 12 weeks were off by 12 %, repeating a week by 18 %.',
  )
  expect(errorSentence({ ...forecast, backtest: null, shown: null })).toContain('too few weeks')
})
