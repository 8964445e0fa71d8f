import { expect, test } from 'vitest'
import { problemsIn } from '@trainyard/platform/web/forms/problems.ts'
import { supplier } from '../contract/supplier.ts'
import { REMINDER_FIELDS } from './fields.ts'

test.each(['3, x', '', '3, 3', '400', '1.5', '1 2 3 4 5 6'])('refuses %j as days of reminders', (entered) => {
  const reminderDays = REMINDER_FIELDS.reminderDays.read(entered)
  expect(problemsIn(supplier.change.body, { reminderDays }, { reminderDays: entered })['reminderDays']).toBe(
    'Enter one to five days, each later than the one before, such as 3, 10, 20.',
  )
})
