import { expect, test } from 'vitest'
import type { ClassSession } from '../../contract/class-session.ts'
import {
  blocksOn,
  daysOfWeek,
  hoursShown,
  isWeek,
  mondayOf,
  monthEndsAfter,
  timeAt,
  timesOfDrag,
  weekdayOf,
} from './week.ts'

const session = (date: string, start: string, stop: string): ClassSession => ({
  _id: `${date} ${start}`,
  date,
  start,
  stop,
  startsAt: '',
  stopsAt: '',
  weekly: null,
  limitsAccess: false,
  skipped: false,
  moved: false,
  ready: 'pending',
  powerOn: 'pending',
  shutDown: 'pending',
  holiday: null,
  cost: 0,
})

test('a week starts on Monday, also across months and years', () => {
  expect(['2026-11-30', '2026-12-06', '2027-01-01'].map(mondayOf)).toEqual(['2026-11-30', '2026-11-30', '2026-12-28'])
  expect(daysOfWeek('2026-12-28').at(-1)).toBe('2027-01-03')
  expect(daysOfWeek('2026-12-28').map(weekdayOf)).toEqual([1, 2, 3, 4, 5, 6, 7])
  expect(['2026-11-30', '2026-02-30', 'now', '', undefined].map(isWeek)).toEqual([true, false, false, false, false])
})

test('the ends of months are offered from the month after the first day, across years and leap years', () => {
  expect(monthEndsAfter('2026-11-30').map(({ date }) => date)).toEqual([
    '2026-12-31',
    '2027-01-31',
    '2027-02-28',
    '2027-03-31',
    '2027-04-30',
    '2027-05-31',
  ])
  expect(monthEndsAfter('2028-01-31')[0]).toEqual({ date: '2028-02-29', month: 'Feb', year: 2028 })
})

test('a session over midnight is a block on both days', () => {
  const sessions = [session('2026-11-30', '22:00', '02:00'), session('2026-12-01', '09:00', '17:00')]
  const on = (date: string) => blocksOn(date, sessions).map(({ from, until, continues }) => [from, until, continues])
  expect(on('2026-11-30')).toEqual([[1320, 1440, false]])
  expect(on('2026-12-01')).toEqual([
    [0, 120, true],
    [540, 1020, false],
  ])
  expect(on('2026-12-02')).toEqual([])
  // A session until midnight has no part on the next day.
  expect(blocksOn('2026-12-01', [session('2026-11-30', '18:00', '00:00')])).toEqual([])
})

test('shows the hours from 8 to 18, or more for earlier and later sessions', () => {
  expect(hoursShown([])).toEqual({ from: 8, until: 18 })
  const blocks = blocksOn('2026-12-01', [session('2026-12-01', '06:30', '21:10')])
  expect(hoursShown(blocks)).toEqual({ from: 6, until: 22 })
})

test('a drag selects half hours in both directions, and a click eight hours', () => {
  const times = (down: number, up: number) => {
    const { from, until } = timesOfDrag(down, up)
    return `${timeAt(from)} ${timeAt(until)}`
  }
  expect(times(545, 1019)).toBe('09:00 17:00')
  expect(times(1019, 545)).toBe('09:00 17:00')
  expect(times(545, 559)).toBe('09:00 17:00')
  expect(times(1200, 1200)).toBe('20:00 00:00')
  expect(times(1380, 1500)).toBe('23:00 00:00')
  expect(times(60, -40)).toBe('00:00 01:30')
})
