import { expect, test } from 'vitest'
import { formatCountdown, isOpen, momentIn, msUntilNext, nextChange, openParts, untilNext } from './daily-window.ts'

const day = { start: '09:00', stop: '18:00', days: null }
const night = { start: '22:00', stop: '06:00', days: null }
const on = (weekday: number, time: string) => ({ weekday, time })

test('includes the start and excludes the stop, also over midnight', () => {
  expect(['08:59', '09:00', '17:59', '18:00'].map((time) => isOpen(day, on(3, time)))).toEqual([
    false,
    true,
    true,
    false,
  ])
  expect(['21:59', '22:00', '00:00', '05:59', '06:00'].map((time) => isOpen(night, on(3, time)))).toEqual([
    false,
    true,
    true,
    true,
    false,
  ])
})

test('splits a window over midnight in two parts, but not one until midnight', () => {
  expect(openParts(day, 3)).toEqual([{ from: 0.375, to: 0.75 }])
  expect(openParts(night, 3)).toEqual([
    { from: 0, to: 0.25 },
    { from: 22 / 24, to: 1 },
  ])
  expect(openParts({ start: '18:00', stop: '00:00', days: null }, 3)).toEqual([{ from: 0.75, to: 1 }])
})

test('formats when the window opens or closes', () => {
  expect(untilNext(day, on(3, '08:10'))).toBe('50 min')
  expect(untilNext(day, on(3, '15:55'))).toBe('2 h 5 min')
  expect(untilNext(day, on(3, '18:00'))).toBe('15 h')
  expect(untilNext(night, on(3, '23:30'))).toBe('6 h 30 min')
  expect(nextChange(day, on(3, '08:10'))).toBe('09:00')
  expect(nextChange(night, on(3, '23:30'))).toBe('Thu 06:00')
})

test('opens on the given weekdays only; a window over midnight belongs to the day on which it opened', () => {
  const workdays = { ...day, days: [1, 2, 3, 4, 5] }
  expect(isOpen(workdays, on(5, '17:59'))).toBe(true)
  expect(isOpen(workdays, on(6, '10:00'))).toBe(false)
  expect(untilNext(workdays, on(5, '18:00'))).toBe('2 d 15 h')
  expect(nextChange(workdays, on(5, '18:00'))).toBe('Mon 09:00')
  expect(untilNext(workdays, on(7, '08:30'))).toBe('1 d 30 min')
  const sundays = { ...night, days: [7] }
  expect(isOpen(sundays, on(1, '05:59'))).toBe(true)
  expect(isOpen(sundays, on(7, '05:59'))).toBe(false)
  expect(openParts(sundays, 1)).toEqual([{ from: 0, to: 0.25 }])
  expect(openParts(sundays, 2)).toEqual([])
  expect(untilNext(sundays, on(7, '23:00'))).toBe('7 h')
  expect(untilNext(sundays, on(1, '06:00'))).toBe('6 d 16 h')
})

test('uses the weekday of the time zone', () => {
  const sunday = new Date('2026-11-22T20:00:00Z')
  expect(momentIn(sunday, 'UTC')).toEqual({ weekday: 7, time: '20:00' })
  expect(momentIn(sunday, 'Asia/Kolkata')).toEqual({ weekday: 1, time: '01:30' })
})

test('returns the time until the start of the minute of the next change', () => {
  const now = new Date('2026-11-22T10:58:20Z')
  const window = { start: '09:00', stop: '11:00', days: null }
  expect(msUntilNext(window, momentIn(now, 'UTC'), now)).toBe(100_000)
})

test('counts the last two minutes in seconds', () => {
  const now = new Date('2026-11-22T10:00:00Z')
  const after = (minutes: number) => formatCountdown(new Date(now.getTime() + minutes * 60_000), now)
  expect([after(1.5), after(80.2), after(-1)]).toEqual(['90 s', '1 h 21 min', '0 s'])
})
