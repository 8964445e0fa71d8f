import { expect, test } from 'vitest'
import { atMonthEnd, moneyDays, restOfToday } from './money-days.ts'

const training = {
  spentPaise: 1_000,
  plannedPaise: 600,
  paisePerHour: 0,
  budgetPaise: null,
  days: [
    { date: '2026-11-16', hours: 1, amountPaise: 300 },
    { date: '2026-11-17', hours: 2, amountPaise: 200 },
    { date: '2026-11-18', hours: 0, amountPaise: 0 },
  ],
  planned: [
    { date: '2026-11-18', amountPaise: 100 },
    { date: '2026-11-20', amountPaise: 200 },
    { date: '2026-12-02', amountPaise: 300 },
  ],
}

/** Nine in the morning in Kolkata. */
const on = (today: string) => ({ today, asOf: `${today}T03:30:00Z`, timeZone: 'Asia/Kolkata' })

test('expects that machines which run now run until midnight, unless something is planned today', () => {
  const running = { ...training, paisePerHour: 100 }
  expect(restOfToday(on('2026-11-18'), running)).toBe(0)
  expect(restOfToday(on('2026-11-30'), running)).toBe(1_500)
  expect(atMonthEnd(on('2026-11-30'), running)).toBe(1_000 + 600 - 300 + 1_500)
  const [, , , , , , , , first] = moneyDays(on('2026-11-30'), running, 'month').toReversed()
  expect(first!.expected).toBeNull()
  expect(moneyDays(on('2026-11-30'), running, 'month').at(-1)!.expected).toBe(1_000 + 600 + 1_500)
})

test('sums what was spent up to each day, and what is expected from today on', () => {
  const week = moneyDays(on('2026-11-18'), training, 'week')
  expect(week.map(({ date }) => date.slice(8))).toEqual(['16', '17', '18', '19', '20', '21', '22'])
  expect(week.map(({ sum }) => sum)).toEqual([800, 1_000, 1_000, null, null, null, null])
  expect(week.map(({ expected }) => expected)).toEqual([null, null, 1_000, 1_100, 1_300, 1_300, 1_300])
  expect(week.map(({ spent, planned }) => [spent, planned])).toEqual([
    [300, null],
    [200, null],
    [0, 100],
    [null, 0],
    [null, 200],
    [null, 0],
    [null, 0],
  ])
})

test('shows whole months, with a week ahead at their end, and from the first use to the last plan', () => {
  const bounds = (today: string, range: 'month' | '90') => {
    const days = moneyDays(on(today), training, range)
    return [days[0]!.date, days.at(-1)!.date]
  }
  expect(bounds('2026-11-18', 'month')).toEqual(['2026-11-01', '2026-11-30'])
  expect(bounds('2026-11-30', 'month')).toEqual(['2026-11-01', '2026-12-06'])
  expect(bounds('2026-11-18', '90')).toEqual(['2026-11-16', '2026-12-02'])
  expect(atMonthEnd(on('2026-11-18'), training)).toBe(1_300)
})
