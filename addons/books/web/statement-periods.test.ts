import { expect, test } from 'vitest'
import { periodOf } from '../contract/books-words.ts'
import { statementPeriods } from './statement-periods.ts'

test("offers months and financial years, newest first, in the call's format", () => {
  const march = statementPeriods('2026-03-31')
  expect(march[0]).toEqual({ period: '2026-03', name: 'March 2026' })
  expect(march[1]?.period).toBe('2026-02')
  expect(march[24]).toEqual({ period: '25-26', name: 'Financial year 2025–26' })
  expect(periodOf('25-26')).toEqual({ from: '2025-04-01', to: '2026-03-31' })
  expect(statementPeriods('2026-04-01')[24]?.period).toBe('26-27')
  expect(periodOf('2028-02')).toEqual({ from: '2028-02-01', to: '2028-02-29' })
})
