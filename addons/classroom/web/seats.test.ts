import { describe, expect, it } from 'vitest'
import type { ClassView, Seat } from '../contract/classroom.ts'
import {
  countOfSeats,
  type Filter,
  FILTERS,
  formatDuration,
  learnersInNeed,
  mergeClass,
  needOf,
  placeText,
  queueOf,
  shortName,
  sortSeats,
} from './seats.ts'

const NOW = Date.parse('2026-03-02T10:00:00Z')
const ago = (minutes: number) => new Date(NOW - minutes * 60_000).toISOString()

const seat = (email: string, overrides: Partial<Seat> = {}, machine: Partial<Seat['machine']> = {}): Seat => ({
  machine: {
    _id: email,
    name: `vm-${email}`,
    resourceGroup: 'labs',
    os: 'ubuntu',
    osType: 'Linux',
    adminUsername: 'learner',
    adminPass: null,
    publicIp: null,
    addressKind: 'public address',
    isAlive: true,
    isRunning: true,
    guacamole: true,
    quota: { consumed: 0, total: null },
    email,
    status: 'Running',
    learnerName: null,
    readyAt: null,
    earlyStart: true,
    statusReason: null,
    capturing: false,
    refused: false,
    spendingCapReason: null,
    progress: null,
    ...machine,
  },
  connectedSince: ago(5),
  disconnectedSince: null,
  runningSince: ago(60),
  idleSince: ago(1),
  cpu: null,
  handRaisedAt: null,
  handReason: null,
  stopsAt: null,
  activeMinutes: [],
  ...overrides,
})

const firstRaised = seat('zoe', { handRaisedAt: ago(9) })
const lastRaised = seat('ann', { handRaisedAt: ago(2) })
const failing = seat('bob', {}, { status: 'Failing', isRunning: false })
const disconnected = seat('cid', { connectedSince: null })
const windows = seat('win', { connectedSince: null, idleSince: null }, { osType: 'Windows' })
const idle = seat('dan', { idleSince: ago(40) })
const withoutHand = seat('eve')
const stopping = seat('gil', { connectedSince: null, idleSince: ago(40) }, { status: 'Stopping', isRunning: false })
const stopped = seat('fay', { connectedSince: null, idleSince: null }, { status: 'Stopped', isRunning: false })

describe('class order', () => {
  it('puts raised hands first, oldest first, then failing, disconnected and idle machines', () => {
    const all = [withoutHand, idle, disconnected, failing, lastRaised, firstRaised, stopped]
    expect(sortSeats(all, 'need', NOW)).toEqual([
      firstRaised,
      lastRaised,
      failing,
      disconnected,
      idle,
      withoutHand,
      stopped,
    ])
    expect(all.map((each) => needOf(each, NOW))).toEqual([
      'none',
      'idle',
      'disconnected',
      'failing',
      'hand',
      'hand',
      'none',
    ])
  })

  it('does not count Windows users as disconnected: they can use their own remote desktop client', () => {
    expect(needOf(windows, NOW)).toBe('none')
  })

  it('sorts by learner, and by idle time with unknown values last', () => {
    expect(sortSeats([withoutHand, firstRaised, lastRaised], 'learner', NOW)).toEqual([
      lastRaised,
      withoutHand,
      firstRaised,
    ])
    expect(sortSeats([stopped, withoutHand, idle], 'idle', NOW)).toEqual([idle, withoutHand, stopped])
  })

  it('counts the seats by state', () => {
    const all = [firstRaised, failing, disconnected, idle, stopping, stopped]
    const counts = Object.keys(FILTERS).map((filter) => [filter, countOfSeats(all, filter as Filter, NOW)])
    expect(Object.fromEntries(counts)).toEqual({ running: 3, here: 3, hands: 1, failing: 1, idle: 1, away: 3 })
  })
})

it('replaces a changed seat in place and removes a terminated one', () => {
  const room = { idleStopMinutes: null } as ClassView['room']
  const changed = { ...withoutHand, handRaisedAt: ago(0) }
  const terminated = seat('dan', {}, { isAlive: false, status: 'Terminated' })
  const merged = mergeClass(
    { room, seats: [withoutHand, idle, disconnected] },
    { room: { ...room, idleStopMinutes: 30 }, seats: [changed, terminated, lastRaised] },
  )
  expect(merged.room.idleStopMinutes).toBe(30)
  expect(merged.seats).toEqual([changed, disconnected, lastRaised])
  expect(merged.seats[1]).toBe(disconnected)
})

it('formats minutes as a duration', () => {
  expect([0, 59, 60, 125, 1440, 4000].map(formatDuration)).toEqual([
    '0 min',
    '59 min',
    '1 h 0 min',
    '2 h 5 min',
    '1 day',
    '2 days',
  ])
})

describe('the queue of raised hands', () => {
  it('numbers learners by the time of their hand, with one place for two machines', () => {
    const unordered = [
      seat('ann', { handRaisedAt: ago(2) }, { _id: 'one' }),
      seat('ann', { handRaisedAt: ago(2) }, { _id: 'two' }),
    ]
    const last = seat('eve', { handRaisedAt: ago(1) })
    expect([...queueOf([last, ...unordered, withoutHand, firstRaised])]).toEqual([
      ['zoe', 1],
      ['one', 2],
      ['two', 2],
      ['eve', 3],
    ])
  })

  it('lists a learner once who has a raised hand and failing machines, and those who are stuck last', () => {
    const [works, fails] = [
      seat('ann', { handRaisedAt: ago(2) }, { _id: 'works' }),
      seat('ann', { handRaisedAt: ago(2) }, { _id: 'fails', status: 'Failing' }),
    ]
    const seats = [idle, disconnected, failing, withoutHand, works, fails, firstRaised]
    const stuck = new Map([disconnected, firstRaised].map(({ machine }) => [machine.name, 'Stuck, 14 min']))
    expect(learnersInNeed(seats, queueOf(seats), stuck)).toEqual([
      [firstRaised],
      [works, fails],
      [failing],
      [disconnected],
    ])
  })

  it.each([
    [1, '1st'],
    [2, '2nd'],
    [3, '3rd'],
    [4, '4th'],
    [11, '11th'],
    [12, '12th'],
    [22, '22nd'],
  ])('writes place %i as %s', (place, text) => {
    expect(placeText(place)).toBe(text)
  })

  it('shortens an e-mail to the part before the @', () => {
    expect([shortName('asha.rao@acme.test'), shortName('@acme.test')]).toEqual(['asha.rao', '@acme.test'])
  })
})
