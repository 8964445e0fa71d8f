import fc from 'fast-check'
import { expect, test } from 'vitest'
import { paise } from '@trainyard/platform/contract/words/money.ts'
import { setPortalClock } from '@trainyard/platform/test/clock.ts'
import type { Run } from './bill.ts'
import { dailyUse, type DayUsed } from './daily.ts'
import { selectLinesOfDay } from './queries.ts'
import { addMachine, makeTraining } from './test-runs.ts'
import { billOf } from './used.ts'
import { sharedDatabase } from '@trainyard/platform/test/shared.ts'

const { db } = await sharedDatabase()

const setClock = (now: string) => setPortalClock(db, new Date(now))

const run = (start: string, stop: string | null, price = 3600): Run => ({
  start: new Date(start),
  stop: stop === null ? null : new Date(stop),
  paisePerHour: paise(price),
})

let count = 0
const next = () => `Training ${count++}`

const some = (days: readonly DayUsed[]) =>
  days.filter(({ seconds }) => seconds > 0).map(({ date, seconds, amount }) => [date, seconds / 3600, amount])

test("splits runs at the organisation's midnights, with days without runs and the open run until now", async () => {
  await setClock('2026-02-10T06:30:00.4Z')
  const training = await makeTraining(db, next())
  await addMachine(db, training, next(), 3600, [
    run('2026-02-05T20:00:00Z', '2026-02-05T22:00:00Z'),
    run('2026-02-07T16:30:00Z', '2026-02-07T19:30:00Z'),
    run('2026-02-09T17:30:00Z', null),
  ])
  const { timeZone, days } = await dailyUse(db, training.id, null, 7)
  for (const { date, seconds, amount } of days) {
    const { rows } = await selectLinesOfDay(db, training.id, date, null)
    const line = seconds === 0 ? [] : [{ runs: 1, seconds, amount }]
    expect(rows.map((row) => ({ runs: row.runs, seconds: row.seconds, amount: row.amount }))).toEqual(line)
  }
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
  // Daylight saving time starts: 23 hours. In Beirut midnight itself is skipped.
  ['Europe/Berlin', '2026-03-29', 23],
  ['Asia/Beirut', '2026-03-29', 23],
  // Daylight saving time ends: 25 hours. In Havana midnight occurs twice.
  ['Europe/Berlin', '2026-10-25', 25],
  ['America/Havana', '2026-11-01', 25],
  ['Australia/Lord_Howe', '2026-04-05', 24.5],
])('in %s gives the day %s %d hours', async (zone, date, hours) => {
  await setClock('2026-12-01T00:00:00Z')
  const training = await makeTraining(db, next(), zone)
  await addMachine(db, training, next(), 3600, [run('2026-03-01T00:00:00Z', null)])
  const { days } = await dailyUse(db, training.id, null, 300)
  expect(days.find((day) => day.date === date)).toMatchObject({ seconds: hours * 3600, amount: hours * 3600 })
  const others = days.filter((day) => day.seconds !== 24 * 3600 && day.seconds !== 0)
  expect(others.length).toBeLessThanOrEqual(4)
})

test('counts only the learner’s machines when an email is given', async () => {
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

const LIMIT = 240_000

test(
  'has days that add up to the bill, each at most one paisa per machine off its exact cost',
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
        expect((await dailyUse(db, training.id, null, 25)).days).toEqual(days.slice(-25))
        const off = days.map(({ seconds, amount }) => Math.abs(amount - (seconds * price) / HOUR))
        expect(Math.max(...off)).toBeLessThanOrEqual(given.length)
      }),
      // Shrinking stops before the test's timeout, so that the failing seed is still printed.
      { numRuns: 30, plugins: [fc.interruptAfterTimeLimit(LIMIT - 10_000, { failOnInterrupt: true })] },
    )
  },
)
