import { expect, test } from 'vitest'
import { plannedStopsOf } from './planned-stops.ts'

const scheduled = '2026-11-22T10:59:00.000Z'
const idle = '2026-11-22T10:09:00.000Z'
const own = (nextStopAt: string | null, stopsAt: string | null) => ({
  trainingName: 'Linux 101',
  announcement: null,
  handRaisedAt: null,
  handReason: null,
  handPlace: null,
  machines: [{ vmName: 'acme-1', stopsAt }],
  nextStopAt,
})

test('returns the stops by a schedule and because the machine is idle', () => {
  const bySchedule = { at: new Date(scheduled), why: 'a schedule stops it.' }
  expect(plannedStopsOf(own(scheduled, idle), 'acme-1')).toEqual([
    bySchedule,
    { at: new Date(idle), why: 'it is idle.' },
  ])
  expect(plannedStopsOf(own(scheduled, idle), 'acme-2')).toEqual([bySchedule])
  expect(plannedStopsOf(own(scheduled, idle), null)).toEqual([bySchedule])
  expect(plannedStopsOf(own(null, null), 'acme-1')).toEqual([])
  expect(plannedStopsOf(undefined, 'acme-1')).toEqual([])
})
