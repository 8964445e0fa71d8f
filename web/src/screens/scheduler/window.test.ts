import { expect, test } from 'vitest'
import { NO_WINDOW, windowChange, windowProblem } from './window.ts'

const daytime = { restricts: true, start: '09:00', stop: '18:00' }

test('requires two different times', () => {
  expect(windowProblem(NO_WINDOW)).toBeNull()
  expect(windowProblem(daytime)).toBeNull()
  expect(windowProblem({ ...daytime, stop: '' })).toBe('Enter both times of the access window.')
  expect(windowProblem({ ...daytime, stop: '09:00' })).toBe(
    'The access window must not end at the time at which it starts.',
  )
})

test('describes the effect on learners before the form is sent', () => {
  expect(windowChange(daytime, null)).toBe('Schedule All lets learners in from 09:00 to 18:00 only, every day.')
  expect(windowChange(daytime, { ...daytime, days: [1, 5] })).toBe(
    'Schedule All lets learners in from 09:00 to 18:00 only, on Mon, Fri.',
  )
  expect(windowChange({ ...daytime, start: '22:00' }, daytime)).toBe(
    'Schedule All lets learners in from 22:00 to 18:00 only, over midnight, every day.',
  )
  expect(windowChange(NO_WINDOW, daytime)).toBe(
    'Schedule All removes the window of 09:00 to 18:00: learners then have access at all times.',
  )
  expect(windowChange(NO_WINDOW, NO_WINDOW)).toBeNull()
})
