import { expect, test } from 'vitest'
import { PaymentsError } from './payments-provider.ts'
import { pauseAfter } from '@trainyard/platform/server/run/reconcile/failures.ts'
import { secondsToNextPoll } from './due.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

test.each([
  ['just made', 0, MINUTE],
  ['a quarter of an hour old, less a second', 15 * MINUTE - 1, MINUTE],
  ['a quarter of an hour old', 15 * MINUTE, 5 * MINUTE],
  ['an hour old', HOUR, 30 * MINUTE],
  ['a day old', DAY, 3 * HOUR],
  ['five days old', 5 * DAY, null],
])('schedules the next poll of an unpaid order that is %s', (_what, age, seconds) => {
  expect(secondsToNextPoll(age, false)).toBe(seconds)
})

test.each([
  ['just paid', 0, HOUR],
  ['a day old', DAY, DAY],
  ['a week old', 7 * DAY, 7 * DAY],
  ['half a year old', 183 * DAY, null],
])('schedules the next refund poll of a paid order that is %s', (_what, age, seconds) => {
  expect(secondsToNextPoll(age, true)).toBe(seconds)
})

test('polls an order 15 times within 15 minutes', () => {
  let [age, looks] = [0, 0]
  while (age < 15 * MINUTE) {
    age += secondsToNextPoll(age, false)!
    looks += 1
  }
  expect(looks).toBe(15)
})

test('retries a failing provider after increasing delays of at most a minute', () => {
  const error = new PaymentsError('unreachable', 'The payment provider can not be reached.')
  for (const [attempts, most] of [
    [1, 2],
    [2, 4],
    [3, 8],
    [6, 60],
    [50, 60],
  ] as const) {
    const pause = pauseAfter(error, attempts)
    expect(pause).toBeGreaterThanOrEqual(most / 2)
    expect(pause).toBeLessThanOrEqual(most)
  }
})
