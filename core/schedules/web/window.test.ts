import { expect, test } from 'vitest'
import { NO_WINDOW, windowChange } from './window.ts'

const daytime = { restricts: true, start: '09:00', stop: '18:00' }

test('describes the effect on learners before the form is sent', () => {
  expect(windowChange(daytime, null)).toBe(
    'When you choose Schedule All, learners have access only from 09:00 to 18:00, every day.',
  )
  expect(windowChange(daytime, { ...daytime, days: [1, 5] })).toBe(
    'When you choose Schedule All, learners have access only from 09:00 to 18:00, on Mon, Fri.',
  )
  expect(windowChange({ ...daytime, start: '22:00' }, daytime)).toBe(
    'When you choose Schedule All, learners have access only from 22:00 to 18:00 (past midnight), every day.',
  )
  expect(windowChange(NO_WINDOW, daytime)).toBe(
    'When you choose Schedule All, the window from 09:00 to 18:00 is removed, and learners have access at all times.',
  )
  expect(windowChange(NO_WINDOW, NO_WINDOW)).toBeNull()
})
