import { expect, test } from 'vitest'
import { backupName, expiredBackups, timeIn } from './retention.ts'

const DAY_MS = 24 * 3600_000

test('keeps the last backup of 7 days, 4 weeks and 12 months', () => {
  // A Wednesday.
  const last = Date.UTC(2026, 10, 25, 3)
  let names: string[] = []
  for (let day = 500; day >= 0; day -= 1) {
    names.push(backupName(new Date(last - day * DAY_MS)))
    const expired = expiredBackups(names, 7)
    names = names.filter((name) => !expired.includes(name))
  }
  expect(names.map((name) => timeIn(name)!.toISOString().slice(0, 10))).toEqual([
    // Ends of months, then Sundays, then days
    ...'2025-12-31 2026-01-31 2026-02-28 2026-03-31 2026-04-30 2026-05-31'.split(' '),
    ...'2026-06-30 2026-07-31 2026-08-31 2026-09-30 2026-10-31 2026-11-08 2026-11-15'.split(' '),
    ...'2026-11-19 2026-11-20 2026-11-21 2026-11-22 2026-11-23 2026-11-24 2026-11-25'.split(' '),
  ])
})

test('keeps the last of several backups of a day, and files with other names', () => {
  const at = (hour: number) => backupName(new Date(Date.UTC(2026, 0, 1, hour)))
  expect(expiredBackups([at(3), at(1), 'mine.backup', at(2)], 1).toSorted()).toEqual([at(1), at(2)])
})
