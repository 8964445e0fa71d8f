import { expect, test } from 'vitest'
import { backtest, isWorthShowing } from './backtest.ts'
import { forecastHours } from './forecast.ts'
import type { TrainingHistory } from './history.ts'
import { plannedPart } from './planned.ts'
import { runsOutAt } from './runs-out.ts'
import { DAYS, generateCustomer, type GeneratedTraining, YEAR_BEGINS } from './test-year.ts'

const BEGINS = Date.parse(YEAR_BEGINS) / 3_600_000
/** Hours of the past that a forecast is given. */
const PAST = 8 * 168

/** A training as it was known at an hour of the year; null: it was not there yet, or long over. */
function knownAt(training: GeneratedTraining, now: number): TrainingHistory | null {
  if (training.firstHour > now || training.lastHour < now - PAST) return null
  const from = Math.max(0, now - PAST)
  const plans = training.plans.filter(({ plannedAt, takenBackAt }) => plannedAt <= now && takenBackAt > now)
  return {
    begins: BEGINS + from,
    hours: training.hours.subarray(from, now),
    running: training.running[now]!,
    capacity: training.capacity,
    plans: plans.map(({ at, action }) => ({ at: BEGINS + at, action })),
  }
}

function judged(customer: readonly GeneratedTraining[], instants: readonly number[]) {
  const came = customer.map(({ hours }): TrainingHistory => {
    return { begins: BEGINS, hours, running: 0, capacity: 0, plans: [] }
  })
  return backtest((now) => customer.flatMap((one) => knownAt(one, now - BEGINS) ?? []), came, instants)
}

// Every sixth day, so that each weekday and each part of a month has its turn; not before nine weeks were seen.
const instants = Array.from(
  { length: Math.floor((DAYS - 63 - 8) / 6) },
  (_, i) => BEGINS + (63 + 6 * i) * 24 + 9 + (i % 3) * 4,
)
const SEEDS = process.env['STORM'] === 'long' ? 60 : 12
// The forecast was chosen by looking at customers 1 to 40: it is judged by others.
const customers = Array.from({ length: SEEDS }, (_, i) => generateCustomer(101 + i))

test('over a generated year the median error at seven days is below a fifth, and below last week’s', () => {
  const results = customers.map((customer) => judged(customer, instants)!)
  const all = (of: (at: number) => number) => results.map((_, at) => of(at)).toSorted((a, b) => a - b)
  const middle = (values: readonly number[]) => values[values.length >> 1]!
  const error = middle(all((at) => results[at]!.error))
  const naive = middle(all((at) => results[at]!.naiveError))
  const shown = results.filter(isWorthShowing).length
  console.log(
    `forecast ${error.toFixed(3)}, last week ${naive.toFixed(3)}, better for ${shown} of ${results.length} customers`,
  )
  expect(error).toBeLessThan(0.2)
  expect(error).toBeLessThan(naive)
})

const flat = (more: Partial<TrainingHistory> = {}): TrainingHistory => {
  return { begins: 0, hours: new Float64Array(21 * 24), running: 0, capacity: 100, plans: [], ...more }
}

test('a forecast that is no better than last week, or was tried too seldom, is not shown', () => {
  expect(isWorthShowing(null)).toBe(false)
  expect(isWorthShowing({ weeks: 12, error: 0.2, naiveError: 0.2 })).toBe(false)
  expect(isWorthShowing({ weeks: 2, error: 0.1, naiveError: 0.2 })).toBe(false)
  expect(isWorthShowing({ weeks: 3, error: 0.1, naiveError: 0.2 })).toBe(true)
})

test('schedules say what runs, on the minute, and nothing after the last of them', () => {
  const now = 21 * 24
  const plans = [
    { at: now + 9.25, action: 'Start' },
    { at: now + 11.5, action: 'Stop' },
  ] as const
  const hours = forecastHours(flat({ plans }), now, 48)
  expect([...hours.subarray(8, 13)]).toEqual([0, 75, 100, 50, 0])
  expect(plannedPart([{ at: 5, action: 'Start' }], 7)).toBe(1)
  expect(hours.subarray(24).every((cost) => cost === 0)).toBe(true)
})

test('machines that run now go on for a while, and the hour that is on counts with its rest', () => {
  const [first, second] = forecastHours(flat({ running: 100 }), 21 * 24 + 0.75, 2)
  expect(first).toBe(25)
  expect(second).toBeLessThan(100)
  expect(second).toBeGreaterThan(50)
})

test('a training is over once the days on which it usually ran have passed without it, not before', () => {
  // Mondays, Wednesdays and Fridays for two weeks, up to the fourth Monday of 1970; 1970 began with a Thursday.
  const until = 25
  const ran = (days: readonly number[]) =>
    flat({
      hours: Float64Array.from({ length: until * 24 }, (_, hour) => (days.includes(Math.floor(hour / 24)) ? 5 : 0)),
    })
  const expected = (days: readonly number[]) => forecastHours(ran(days), until * 24, 24 * 7).some((cost) => cost > 0)
  const twoWeeks = [4, 6, 8, 11, 13, 15]
  expect(expected(twoWeeks)).toBe(false)
  expect(expected([...twoWeeks, 18])).toBe(true)
  // Days on which it never ran are none that it missed.
  expect(expected([4, 11, 18])).toBe(true)
})

test('machines beyond the usual are off from the hour of the next stop on', () => {
  const plans = [{ at: 21 * 24 + 30, action: 'Stop' }] as const
  const running = flat({ running: 100, plans: [{ at: 5, action: 'Start' }, ...plans] })
  expect(forecastHours({ ...running, plans: [] }, 21 * 24, 31)[30]).toBeGreaterThan(0)
  expect(forecastHours(running, 21 * 24, 31)[30]).toBe(0)
})

test('a budget runs out within an hour, at once, or not at all', () => {
  expect(runsOutAt(50, [25, 100], 10.75)).toBe(11.25)
  expect(runsOutAt(20, [25, 100], 10.75)).toBe(10.95)
  expect(runsOutAt(0, [25], 10.75)).toBe(10.75)
  expect(runsOutAt(126, [25, 100], 10.75)).toBeNull()
})
