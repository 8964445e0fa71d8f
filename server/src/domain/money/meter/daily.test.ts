import fc from 'fast-check'
import { expect, test } from 'vitest'
import { paise } from '@trainyard/contract/words/money.ts'
import { setPortalClock } from '#test/clock.ts'
import type { Run } from './bill.ts'
import { dailyUse, type DayUsed } from './daily.ts'
import { addMachine, makeTraining } from './test-runs.ts'
import { billOf } from './used.ts'
import { sharedDatabase } from '#test/shared.ts'

const { db } = await sharedDatabase()

const setClock = (now: string) => setPortalClock(db, new Date(now))

const run = (start: string, stop: string | null, price = 3600): Run => ({
  start: new Date(start),
  stop: stop === null ? null : new Date(stop),
  paisePerHour: paise(price),
})

let count = 0
const next = () => `Training ${count++}`

/** The days with anything in them: date, hours, paise. */
const some = (days: readonly DayUsed[]) =>
  days.filter(({ seconds }) => seconds > 0).map(({ date, seconds, amount }) => [date, seconds / 3600, amount])

test('runs are split at the midnights of the organisation, days without one are there, and a run goes on till now', async () => {
  await setClock('2026-02-10T06:30:00.4Z')
  const training = await makeTraining(db, next())
  await addMachine(db, training, next(), 3600, [
    // 20:00 to 22:00 UTC is 01:30 to 03:30 of the next day in India.
    run('2026-02-05T20:00:00Z', '2026-02-05T22:00:00Z'),
    // Two hours before midnight there, one after it.
    run('2026-02-07T16:30:00Z', '2026-02-07T19:30:00Z'),
    run('2026-02-09T17:30:00Z', null),
  ])
  const { timeZone, days } = await dailyUse(db, training.id, null, 7)
  expect(timeZone).toBe('Asia/Kolkata')
  expect(days.map(({ date }) => date)).toEqual(
    ['04', '05', '06', '07', '08', '09', '10'].map((day) => `2026-02-${day}`),
  )
  expect(some(days)).toEqual([
    ['2026-02-06', 2, 7200],
    ['2026-02-07', 2, 7200],
    ['2026-02-08', 1, 3600],
    ['2026-02-09', 1, 3600],
    ['2026-02-10', 12, 43200],
  ])
})

test.each([
  // Clocks go forward: 23 hours. In Beirut it is midnight itself that is not there.
  ['Europe/Berlin', '2026-03-29', 23],
  ['Asia/Beirut', '2026-03-29', 23],
  // And back: 25. In Havana midnight comes twice.
  ['Europe/Berlin', '2026-10-25', 25],
  ['America/Havana', '2026-11-01', 25],
  // By half an hour only.
  ['Australia/Lord_Howe', '2026-04-05', 24.5],
])('in %s the day %s has %d hours', async (zone, date, hours) => {
  await setClock('2026-12-01T00:00:00Z')
  const training = await makeTraining(db, next(), zone)
  await addMachine(db, training, next(), 3600, [run('2026-03-01T00:00:00Z', null)])
  const { days } = await dailyUse(db, training.id, null, 300)
  expect(days.find((day) => day.date === date)).toMatchObject({ seconds: hours * 3600, amount: hours * 3600 })
  const others = days.filter((day) => day.seconds !== 24 * 3600 && day.seconds !== 0)
  // Besides the other change of the year: the first day, and today.
  expect(others.length).toBeLessThanOrEqual(4)
})

test('only the learner’s own machines count where an e-mail is given', async () => {
  await setClock('2026-02-10T12:00:00Z')
  const training = await makeTraining(db, next())
  await addMachine(db, training, next(), 3600, [run('2026-02-10T08:00:00Z', '2026-02-10T09:00:00Z')], 'a@x.test')
  await addMachine(db, training, next(), 3600, [run('2026-02-10T08:00:00Z', '2026-02-10T10:00:00Z')], 'b@x.test')
  expect(some((await dailyUse(db, training.id, 'a@x.test', 7)).days)).toEqual([['2026-02-10', 1, 3600]])
  expect(some((await dailyUse(db, training.id, null, 7)).days)).toEqual([['2026-02-10', 3, 10800]])
})

const HOUR = 3600
const pieces = fc.array(
  fc.record({ gap: fc.integer({ min: 1, max: 40 * HOUR }), length: fc.integer({ min: 0, max: 60 * HOUR }) }),
  { maxLength: 6 },
)
const machines = fc.array(pieces, { minLength: 1, maxLength: 3 })
const prices = fc.integer({ min: 0, max: 9_999 })
const zones = fc.constantFrom('Asia/Kolkata', 'Europe/Berlin', 'America/Havana', 'Pacific/Auckland')

const LIMIT = 60_000

test(
  'the days of a whole life add up to the bill, and each is at most a paisa a machine off its own cost',
  { timeout: LIMIT },
  async () => {
    const began = Date.parse('2026-03-20T00:00:00Z')
    await setClock('2026-04-20T03:04:05Z')
    await fc.assert(
      fc.asyncProperty(machines, prices, zones, async (given, price, zone) => {
        const training = await makeTraining(db, next(), zone)
        for (const pieces of given) {
          let clock = began
          const runs = pieces.map(({ gap, length }) => {
            const start = clock + gap * 1000
            clock = start + length * 1000
            return { start: new Date(start), stop: new Date(clock), paisePerHour: paise(price) }
          })
          await addMachine(db, training, next(), price, runs)
        }
        const bill = await billOf(db, training.id, null)
        const { days } = await dailyUse(db, training.id, null, 60)
        const sum = (of: (day: DayUsed) => number) => days.reduce((all, day) => all + of(day), 0)
        expect(sum(({ amount }) => amount)).toBe(bill.amount)
        expect(sum(({ seconds }) => seconds)).toBe(bill.seconds)
        // A window shows of each day the same, whatever stands before it.
        expect((await dailyUse(db, training.id, null, 25)).days).toEqual(days.slice(-25))
        const off = days.map(({ seconds, amount }) => Math.abs(amount - (seconds * price) / HOUR))
        expect(Math.max(...off)).toBeLessThanOrEqual(given.length)
      }),
      // The search for a smaller example ends in time to say with which seed it fell.
      { numRuns: 30, plugins: [fc.interruptAfterTimeLimit(LIMIT - 10_000, { failOnInterrupt: true })] },
    )
  },
)
