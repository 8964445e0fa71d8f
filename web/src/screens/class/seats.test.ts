import { describe, expect, it } from 'vitest'
import type { Seat } from '@trainyard/contract/calls/classroom.ts'
import { countsOf, mergeClass, needOf, sorted, spoken } from './seats.ts'

const NOW = Date.parse('2026-03-02T10:00:00Z')
const ago = (minutes: number) => new Date(NOW - minutes * 60_000).toISOString()

const seat = (email: string, more: Partial<Seat> = {}, machine: Partial<Seat['machine']> = {}): Seat => ({
  machine: {
    _id: email,
    name: `vm-${email}`,
    resourceGroup: 'labs',
    os: 'ubuntu',
    osType: 'Linux',
    adminUsername: 'learner',
    adminPass: null,
    publicIp: null,
    isAlive: true,
    isRunning: true,
    guacamole: true,
    quota: { consumed: 0, total: null },
    email,
    status: 'Running',
    statusReason: null,
    capturing: false,
    refused: false,
    leash: null,
    progress: null,
    ...machine,
  },
  connectedSince: ago(5),
  disconnectedSince: null,
  runningSince: ago(60),
  idleSince: ago(1),
  cpu: null,
  handRaisedAt: null,
  stopsAt: null,
  ...more,
})

const early = seat('zoe', { handRaisedAt: ago(9) })
const late = seat('ann', { handRaisedAt: ago(2) })
const failing = seat('bob', {}, { status: 'Failing', isRunning: false })
const alone = seat('cid', { connectedSince: null })
const windows = seat('win', { connectedSince: null, idleSince: null }, { osType: 'Windows' })
const idle = seat('dan', { idleSince: ago(40) })
const well = seat('eve')
const stopped = seat('fay', { connectedSince: null, idleSince: null }, { status: 'Stopped', isRunning: false })

describe('the class in order', () => {
  // @covers R21.6
  it('has first who raised a hand, the first one first, then who fails, is alone or idle', () => {
    const all = [well, idle, alone, failing, late, early, stopped]
    expect(sorted(all, 'need', NOW)).toEqual([early, late, failing, alone, idle, well, stopped])
    expect(all.map((each) => needOf(each, NOW))).toEqual(['none', 'idle', 'alone', 'failing', 'hand', 'hand', 'none'])
  })

  it('does not call those alone who come by a remote desktop of their own', () => {
    expect(needOf(windows, NOW)).toBe('none')
  })

  it('by learner, and by idleness with those last of whom nothing is known', () => {
    expect(sorted([well, early, late], 'learner', NOW)).toEqual([late, well, early])
    expect(sorted([stopped, well, idle], 'idle', NOW)).toEqual([idle, well, stopped])
  })

  it('is counted', () => {
    const counts = countsOf([early, failing, alone, idle, stopped], NOW)
    expect(counts).toEqual({ running: 3, connected: 3, hands: 1, failing: 1, idle: 1 })
  })
})

it('a changed seat takes its place in the class, and one that is gone leaves it', () => {
  const room = { timeZone: 'UTC', announcement: null, idleStopMinutes: null, watchedWithoutAsking: false, window: null }
  const changed = { ...well, handRaisedAt: ago(0) }
  const gone = seat('dan', {}, { isAlive: false, status: 'Terminated' })
  const merged = mergeClass(
    { room, seats: [well, idle, alone] },
    { room: { ...room, idleStopMinutes: 30 }, seats: [changed, gone, late] },
  )
  expect(merged.room.idleStopMinutes).toBe(30)
  expect(merged.seats).toEqual([changed, alone, late])
  expect(merged.seats[1]).toBe(alone)
})

it('minutes are said as people say them', () => {
  expect([0, 59, 60, 125, 1440, 4000].map(spoken)).toEqual([
    '0 min',
    '59 min',
    '1 h 0 min',
    '2 h 5 min',
    '1 day',
    '2 days',
  ])
})
