import { expect, test } from 'vitest'
import { forecastSentence } from './forecast.ts'

const account = { isUsedUp: false, isLow: false, hardLimit: true, paisePerHour: 3_500 }
const clock = { now: '2026-11-25T06:00:00Z', timeZone: 'Asia/Kolkata' }

test.each([
  ['2026-11-25T08:50:00Z', 'Runs out at 14:20, with the machines that run now (₹35.00 per hour).'],
  ['2026-11-26T08:50:00Z', 'Runs out on Thursday at 14:20, with the machines that run now (₹35.00 per hour).'],
  ['2026-12-05T08:50:00Z', 'Runs out on 5 Dec 2026 at 14:20, with the machines that run now (₹35.00 per hour).'],
  [null, 'No machine runs now, so no credit is used.'],
])('tells when credit runs out: %s', (runsOutAt, sentence) => {
  expect(forecastSentence({ ...account, runsOutAt }, clock)).toBe(sentence)
})

test('tells that credit is low or used up', () => {
  expect(forecastSentence({ ...account, isLow: true, runsOutAt: null }, clock)).toMatch(/^The credit is low\./)
  expect(forecastSentence({ ...account, isUsedUp: true, runsOutAt: null }, clock)).toMatch(/machines stay off/)
})
