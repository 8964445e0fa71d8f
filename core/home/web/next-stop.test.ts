import { expect, test } from 'vitest'
import { nextStopOf } from './next-stop.ts'

const now = new Date('2026-11-22T10:00:00Z')
const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000)
const machine = { isRunning: true, quota: { consumed: 30, total: 90 } }
const planned = (minutes: number) => ({ at: later(minutes), why: 'it is idle.' })

test('returns the earliest of the planned stops and used-up hours', () => {
  expect(nextStopOf(machine, [], now)).toEqual({ at: later(60), why: 'its hours are used up.' })
  expect(nextStopOf(machine, [planned(59)], now)).toEqual(planned(59))
  expect(nextStopOf(machine, [planned(59), planned(9)], now)).toEqual(planned(9))
})

test('returns null for a stopped machine, or without limit and planned stop', () => {
  expect(nextStopOf({ ...machine, isRunning: false }, [planned(5)], now)).toBeNull()
  const unlimited = { ...machine, quota: { consumed: 30, total: null } }
  expect(nextStopOf(unlimited, [], now)).toBeNull()
})
