import { expect, test } from 'vitest'
import { problemsIn } from '@trainyard/platform/web/forms/problems.ts'
import { supplier } from '../contract/supplier.ts'
import { basisPointsIn } from '@trainyard/platform/contract/words/money.ts'
import { REMINDER_FIELDS } from './fields.ts'

const RATE = 'Enter a rate such as 18, and at most 100%.'
const rateProblems = (entered: string) => {
  const rates = (basisPoints: unknown) => ({ rates: [{ from: '2026-04-01', basisPoints }] })
  return problemsIn(supplier.change.body, rates(basisPointsIn(entered)), rates(entered))
}

test('reads every rate of at most two decimals, with or without a per cent sign', () => {
  expect(['18', '18%', ' 18.1 % ', '0.29', '100'].map(basisPointsIn)).toEqual([1800, 1800, 1810, 29, 10_000])
})

test.each(['18.123', '0.004', 'x%', '101'])('refuses the rate %j at its field', (entered) => {
  expect(rateProblems(entered)['rates.0.basisPoints']).toBe(RATE)
})

test.each(['3, x', '', '3, 3', '400', '1.5', '1 2 3 4 5 6'])('refuses %j as days of reminders', (entered) => {
  const reminderDays = REMINDER_FIELDS.reminderDays.read(entered)
  expect(problemsIn(supplier.change.body, { reminderDays }, { reminderDays: entered })['reminderDays']).toBe(
    'Enter one to five days, each later than the one before, such as 3, 10, 20.',
  )
})
