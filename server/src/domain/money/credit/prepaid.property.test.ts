import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { paise } from '@trainyard/contract/words/money.ts'
import { stageAt } from './overdue.ts'
import { type Purchase, runsOutAt, unusedAtExpiry } from './prepaid.ts'

const DAY = 86_400_000
const day = (days: number) => new Date(days * DAY)

const bought = (payment: string, credit: number, from: number, to: number | null): Purchase => ({
  payment,
  gross: paise(credit),
  credit: paise(credit),
  boughtAt: day(from),
  expiresAt: to === null ? null : day(to),
  expired: null,
})

describe('expiry of prepaid credit', () => {
  test.each([
    { used: 0, others: [], unused: 100 },
    { used: 40, others: [], unused: 60 },
    { used: 150, others: [], unused: 0 },
    // Credit that expires later is used last.
    { used: 40, others: [bought('b', 50, 1, null)], unused: 60 },
    { used: 120, others: [bought('b', 50, 1, 20)], unused: 0 },
    // Credit that expired before was used first.
    { used: 120, others: [bought('b', 50, 1, 5)], unused: 30 },
    { used: 20, others: [{ ...bought('b', 50, 1, 5), expired: paise(30) }], unused: 100 },
    // Credit bought after the expiry does not change it.
    { used: 40, others: [bought('b', 50, 11, 12)], unused: 60 },
  ])('leaves $unused of 100 unused after usage of $used', ({ used, others, unused }) => {
    expect(unusedAtExpiry(bought('a', 100, 0, 10), others, used)).toBe(unused)
  })

  test('takes no more than was bought, and the rest is what a day-by-day account has left', () => {
    const purchase = fc.record({
      credit: fc.integer({ min: 1, max: 1_000 }),
      days: fc.option(fc.integer({ min: 1, max: 30 })),
    })
    // All bought on the first day: a consumer that takes the earliest expiry first then agrees exactly.
    fc.assert(
      fc.property(
        fc.array(purchase, { minLength: 1, maxLength: 5 }),
        fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 31, maxLength: 31 }),
        (specs, daily) => {
          const sorted = specs
            .map(({ credit, days }, place) => bought(String(place), credit, 0, days))
            .toSorted((a, b) => (a.expiresAt?.getTime() ?? Infinity) - (b.expiresAt?.getTime() ?? Infinity))
          const left = sorted.map(({ credit }) => Number(credit))
          let debt = 0
          const lost = sorted.map(() => 0)
          for (let today = 0; today <= 30; today++) {
            sorted.forEach(({ expiresAt }, place) => {
              if (expiresAt?.getTime() === today * DAY) [lost[place], left[place]] = [left[place]!, 0]
            })
            debt = daily[today]!
            for (const place of left.keys()) {
              const taken = Math.min(left[place]!, debt)
              left[place] = left[place]! - taken
              debt -= taken
            }
          }
          const settled: Purchase[] = []
          for (const [place, each] of sorted.entries()) {
            if (each.expiresAt === null) {
              settled.push(each)
              continue
            }
            const used = daily.slice(0, each.expiresAt.getTime() / DAY).reduce((sum, paid) => sum + paid, 0)
            settled.push({ ...each, expired: unusedAtExpiry(each, [...settled, ...sorted.slice(place + 1)], used) })
          }
          expect(settled.every(({ expired, credit }) => (expired ?? 0) <= credit)).toBe(true)
          // Debts that no credit covered are not forgiven by later credit, so that less can expire than without debts.
          const total = sorted.reduce((sum, { credit }) => sum + credit, 0)
          if (daily.reduce((sum, paid) => sum + paid, 0) <= Math.min(...sorted.map(({ credit }) => credit))) {
            expect(settled.reduce((sum, { expired }) => sum + (expired ?? 0), 0)).toBeLessThanOrEqual(total)
            expect(settled.map(({ expired }) => expired ?? 0)).toEqual(lost)
          }
        },
      ),
      { numRuns: 200 },
    )
  })
})

test('forecasts the instant at which the present machines use up the credit', () => {
  const now = new Date('2026-11-25T08:00:00Z')
  expect(runsOutAt({ now, left: 3_500, perHour: 7_000 })?.toISOString()).toBe('2026-11-25T08:30:00.000Z')
  expect(runsOutAt({ now, left: 3_500, perHour: 0 })).toBe(null)
  expect(runsOutAt({ now, left: 0, perHour: 7_000 })).toBe(null)
})

test.each([
  [0, null],
  [1, 'warn'],
  [9, 'warn'],
  [10, 'hold'],
  [20, 'stop'],
] as const)('applies the step of the day, %i days after the due date', (overdue, stage) => {
  expect(stageAt(overdue, { warnDays: 0, holdDays: 10, stopDays: 20 })).toBe(stage)
  expect(stageAt(overdue, { warnDays: null, holdDays: null, stopDays: null })).toBe(null)
})
