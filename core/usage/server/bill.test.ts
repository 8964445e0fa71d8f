import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { paise } from '@trainyard/platform/contract/words/money.ts'
import { setPortalClock } from '@trainyard/platform/test/clock.ts'
import { amountOf, type Run, secondsOf } from './bill.ts'
import { clampInstant } from './runs.ts'
import { addMachine, makeTraining } from './test-runs.ts'
import { billOf, secondsUsed } from './used.ts'
import { sharedDatabase } from '@trainyard/platform/test/shared.ts'

const T0 = Date.parse('2026-01-01T00:00:00Z')
const at = (seconds: number) => new Date(T0 + seconds * 1000)

test('computes an amount exactly and rounds half up once', () => {
  const run = (seconds: number, price: number): Run => ({ start: at(0), stop: at(seconds), paisePerHour: paise(price) })
  expect(amountOf([run(3600, 1750)], at(9999))).toBe(1750)
  expect(amountOf([run(1, 1800)], at(9999))).toBe(1)
  expect(amountOf([run(1, 1799)], at(9999))).toBe(0)
  // Twice 0.4 paise is 0.8, which rounds to one paisa.
  expect(amountOf([run(1, 1440), { ...run(1, 1440), start: at(5), stop: at(6) }], at(9999))).toBe(1)
  expect(amountOf([{ start: at(0), stop: null, paisePerHour: paise(3600) }], at(90.7))).toBe(90)
})

test('clamps an instant between the end of the last run and now', () => {
  expect(clampInstant(at(5.9), at(0), at(10))).toEqual(at(5))
  expect(clampInstant(at(-3), at(0.4), at(10))).toEqual(at(0))
  expect(clampInstant(at(50), at(0), at(10.9))).toEqual(at(10))
})

const pieces = fc.array(
  fc.record({ gap: fc.integer({ min: 1, max: 5000 }), length: fc.integer({ min: 0, max: 100_000 }) }),
  { maxLength: 8 },
)
const machines = fc.array(fc.record({ price: fc.integer({ min: 0, max: 100_000 }), pieces, open: fc.boolean() }), {
  minLength: 1,
  maxLength: 4,
})

const LIMIT = 240_000

const now = new Date('2026-06-01T00:00:00.7Z')
const { db } = await sharedDatabase()
await setPortalClock(db, now)

describe('SQL and in-memory totals', () => {
  test('agree for random runs', { timeout: LIMIT }, async () => {
    let count = 0
    await fc.assert(
      fc.asyncProperty(machines, async (given) => {
        const training = await makeTraining(db, `Training ${count++}`)
        let amount = 0
        let seconds = 0
        for (const [index, { price, pieces, open }] of given.entries()) {
          let clock = 0
          const runs: Run[] = pieces.map(({ gap, length }) => {
            const start = at(clock + gap)
            clock += gap + length
            return { start, stop: at(clock), paisePerHour: paise(price) }
          })
          if (open) runs.push({ start: at(clock + 1), stop: null, paisePerHour: paise(price) })
          const id = await addMachine(db, training, `m-${count}-${index}`, price, runs)
          amount += amountOf(runs, now)
          seconds += secondsOf(runs, now)
          expect((await secondsUsed(db, [id])).get(id) ?? 0).toBe(secondsOf(runs, now))
        }
        expect(await billOf(db, training.id, null)).toMatchObject({ amount, seconds })
        expect(await billOf(db, training.id, null)).toMatchObject({ amount, seconds })
      }),
      // Shrinking stops before the test's timeout, so that the failing seed is still printed.
      { numRuns: 40, plugins: [fc.interruptAfterTimeLimit(LIMIT - 10_000, { failOnInterrupt: true })] },
    )
  })
})
