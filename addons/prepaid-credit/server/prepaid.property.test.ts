import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { paise } from '@trainyard/platform/contract/words/money.ts'
import { stageAt } from './overdue.ts'
import { runsOutAt, withExpired } from './prepaid.ts'
import type { Purchase } from './queries.ts'

const DAY = 86_400_000
const day = (days: number) => new Date(days * DAY)

/** Returns purchases of credit and the usage per day. On each day, usage comes after purchases and expiries. */
function purchasesOf(
  specs: readonly { readonly credit: number; readonly from: number; readonly to: number | null }[],
  daily: readonly number[],
): Purchase[] {
  const usedUntil = (to: number) => daily.slice(0, to).reduce((sum, each) => sum + each, 0)
  return specs.map(({ credit, from, to }, place) => ({
    payment: String(place),
    gross: paise(credit),
    credit: paise(credit),
    boughtAt: day(from),
    usedBefore: usedUntil(from),
    expiresAt: to === null ? null : day(to),
    expired: null,
    usedAtExpiry: to === null ? null : usedUntil(to),
  }))
}

/** Returns the expired part of each purchase, from a simulation of each day. */
function expiredByDay(purchases: readonly Purchase[], daily: readonly number[]): Map<string, number> {
  const rest = new Map(purchases.map(({ payment }) => [payment, 0]))
  const lost = new Map<string, number>()
  const byExpiry = purchases.toSorted(
    (a, b) => (a.expiresAt?.getTime() ?? Infinity) - (b.expiresAt?.getTime() ?? Infinity),
  )
  let owed = 0
  const consume = () => {
    for (const { payment } of byExpiry) {
      const part = Math.min(rest.get(payment)!, owed)
      rest.set(payment, rest.get(payment)! - part)
      owed -= part
    }
  }
  for (const [today, used] of daily.entries()) {
    for (const { payment, expiresAt } of byExpiry) {
      if (expiresAt?.getTime() !== today * DAY) continue
      lost.set(payment, rest.get(payment)!)
      rest.set(payment, 0)
    }
    for (const { payment, boughtAt, credit } of purchases) {
      if (boughtAt.getTime() !== today * DAY) continue
      rest.set(payment, credit)
      consume()
    }
    owed += used
    consume()
  }
  return lost
}

describe('expiry of prepaid credit', () => {
  test.each([
    { name: 'without usage', daily: [0, 0, 0, 0], expired: [100, null] },
    { name: 'after usage that the earlier expiry covers', daily: [40, 0, 0, 0], expired: [60, null] },
    { name: 'after usage that exceeds it', daily: [150, 0, 0, 0], expired: [0, null] },
  ])('leaves nothing but the unused part $name', ({ daily, expired }) => {
    const specs = [
      { credit: 100, from: 0, to: 3 },
      { credit: 80, from: 0, to: null },
    ]
    expect(withExpired(purchasesOf(specs, daily)).map((each) => each.expired)).toEqual(expired)
  })

  test('usage before a purchase does not consume this purchase, unless no earlier credit covered the usage', () => {
    const later = { credit: 50, from: 1, to: 3 }
    const covered = purchasesOf([{ credit: 100, from: 0, to: null }, later], [90, 0, 0, 0])
    expect(withExpired(covered).map(({ expired }) => expired)).toEqual([50, null])
    const owed = purchasesOf([{ credit: 70, from: 0, to: null }, later], [90, 0, 0, 0])
    expect(withExpired(owed).map(({ expired }) => expired)).toEqual([30, null])
  })

  test('ends what has expired of money that is returned later', () => {
    const expiredOf = (returned: number) => {
      const [purchase] = purchasesOf([{ credit: 100, from: 0, to: 2 }], [60, 0, 0])
      const after = { ...purchase!, credit: paise(100 - returned), expired: paise(40) }
      return withExpired([after])[0]!.expired
    }
    expect([0, 10, 40, 100].map(expiredOf)).toEqual([40, 30, 0, 0])
  })

  test('agrees with a simulation of each day', () => {
    const DAYS = 31
    const spec = fc
      .record({
        credit: fc.integer({ min: 1, max: 1_000 }),
        from: fc.integer({ min: 0, max: DAYS - 2 }),
        days: fc.option(fc.integer({ min: 1, max: DAYS })),
      })
      .map(({ credit, from, days }) => ({
        credit,
        from,
        to: days === null || from + days >= DAYS ? null : from + days,
      }))
    const daily = fc.array(fc.integer({ min: 0, max: 200 }), { minLength: DAYS, maxLength: DAYS })
    fc.assert(
      fc.property(fc.array(spec, { minLength: 1, maxLength: 6 }), daily, (specs, used) => {
        const purchases = purchasesOf(specs, used)
        const lost = expiredByDay(purchases, used)
        const found = withExpired(purchases)
        // Purchases with the same expiry are interchangeable.
        const sum = (of: (purchase: Purchase) => number, at: number) =>
          found.filter(({ expiresAt }) => expiresAt?.getTime() === at).reduce((total, each) => total + of(each), 0)
        for (const { expiresAt } of found) {
          const at = expiresAt?.getTime() ?? -1
          expect(sum(({ expired }) => expired ?? 0, at)).toBe(sum(({ payment }) => lost.get(payment) ?? 0, at))
        }
      }),
      { numRuns: 200 },
    )
  })
})

test('forecasts the instant at which the current machines use up the credit', () => {
  const now = new Date('2026-11-25T08:00:00Z')
  const steps = [{ at: new Date('2026-11-25T08:15:00Z'), paisePerHour: 3_500 }]
  expect(runsOutAt({ now, left: 3_500, perHour: 7_000, steps })?.toISOString()).toBe('2026-11-25T08:45:00.000Z')
  expect(runsOutAt({ now, left: 1_000, perHour: 7_000, steps })?.toISOString()).toBe('2026-11-25T08:08:35.000Z')
  expect(runsOutAt({ now, left: 3_500, perHour: 7_000, steps: [] })?.toISOString()).toBe('2026-11-25T08:30:00.000Z')
  expect(runsOutAt({ now, left: 3_500, perHour: 0, steps: [] })).toBe(null)
  expect(runsOutAt({ now, left: 0, perHour: 7_000, steps: [] })).toBe(null)
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
