import { expect, test } from 'vitest'
import { NO_WINDOW, windowChange, windowProblem } from './window.ts'

const daytime = { restricts: true, start: '09:00', stop: '18:00' }

test('a window needs both its times, and two different ones', () => {
  expect(windowProblem(NO_WINDOW)).toBeNull()
  expect(windowProblem(daytime)).toBeNull()
  expect(windowProblem({ ...daytime, stop: '' })).toBe('Enter both times of the access window.')
  expect(windowProblem({ ...daytime, stop: '09:00' })).toBe(
    'The access window must end at another time than it starts.',
  )
})

test('the consequences for learners are told before the form is sent', () => {
  expect(windowChange(daytime, null)).toBe('Schedule All lets learners in from 09:00 to 18:00 only, every day.')
  expect(windowChange(daytime, { ...daytime, days: [1, 5] })).toBe(
    'Schedule All lets learners in from 09:00 to 18:00 only, on Mon, Fri.',
  )
  expect(windowChange({ ...daytime, start: '22:00' }, daytime)).toBe(
    'Schedule All lets learners in from 22:00 to 18:00 only, over midnight, every day.',
  )
  expect(windowChange(NO_WINDOW, daytime)).toBe(
    'Schedule All ends the window of 09:00 to 18:00: learners get in at all times.',
  )
  expect(windowChange(NO_WINDOW, NO_WINDOW)).toBeNull()
})
