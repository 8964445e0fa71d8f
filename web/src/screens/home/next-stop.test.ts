import { expect, test } from 'vitest'
import { nextStopOf } from './next-stop.ts'

const now = new Date('2026-11-22T10:00:00Z')
const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000).toISOString()
const machine = { name: 'acme-1', isRunning: true, quota: { consumed: 30, total: 90 } }
const own = (nextStopAt: string | null, stopsAt: string | null) => ({
  trainingName: 'Linux 101',
  announcement: null,
  handRaisedAt: null,
  handReason: null,
  handPlace: null,
  machines: [{ vmName: 'acme-1', stopsAt }],
  nextStopAt,
})

test('returns the earliest of schedule, idle stop and used-up hours', () => {
  const why = (scheduled: number | null, idle: number | null) =>
    nextStopOf(machine, own(scheduled === null ? null : later(scheduled), idle === null ? null : later(idle)), now)
  expect(why(null, null)).toEqual({ at: new Date(later(60)), why: 'its hours are used up.' })
  expect(why(59, null)).toEqual({ at: new Date(later(59)), why: 'a schedule stops it.' })
  expect(why(59, 9)).toEqual({ at: new Date(later(9)), why: 'it is idle.' })
})

test('returns null for a stopped machine, or without limit and schedule', () => {
  expect(nextStopOf({ ...machine, isRunning: false }, own(later(5), null), now)).toBeNull()
  const unlimited = { ...machine, quota: { consumed: 30, total: null } }
  expect(nextStopOf(unlimited, own(null, null), now)).toBeNull()
  expect(nextStopOf(unlimited, undefined, now)).toBeNull()
})
