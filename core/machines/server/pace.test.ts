import { describe, expect, test } from 'vitest'
import type { MachineRow } from '../tables.gen.ts'
import { CloudError, type CloudErrorKind, RequestDeferred } from '@trainyard/platform/server/providers/errors.ts'
import { pauseAfter } from '@trainyard/platform/server/run/reconcile/failures.ts'
import type { NextAction } from './next.ts'
import { pauseBefore } from './pace.ts'

const ERROR_KINDS: readonly CloudErrorKind[] = [
  'throttled',
  'capacity',
  'quota',
  'refused',
  'unauthorised',
  'conflict',
  'unreachable',
]
const ATTEMPTS = [1, 2, 5, 20, 1_000]

describe('a command that a user waits for', () => {
  test.each(ERROR_KINDS)('is retried within 60 s, however often it failed (%s)', (kind) => {
    for (const attempts of ATTEMPTS) {
      for (const maxRetrySeconds of [300, 5]) {
        const pause = pauseAfter(new CloudError(kind, 'No.', null, { maxRetrySeconds }), attempts)
        expect(pause).toBeLessThanOrEqual(60)
        expect(pause).toBeGreaterThan(0.5)
      }
    }
  })

  test.each(['create', 'start', 'stop', 'restart'] as const)(
    'is retried within 60 s if it failed at the provider (%s)',
    (action) => {
      for (const attempts of ATTEMPTS) {
        expect(pauseBefore(action, { attempts } as MachineRow, new Date())).toBeLessThanOrEqual(60)
      }
    },
  )

  test('waits as long as the provider requests', () => {
    expect(pauseAfter(new CloudError('throttled', 'Slow down.', 240), 1)).toBeGreaterThanOrEqual(240)
    expect(pauseAfter(new RequestDeferred('Waiting for the rate limit.', 90), 9)).toBeGreaterThanOrEqual(90)
  })

  test('waits longer after each failure', () => {
    const shortest = (attempts: number) =>
      Math.min(...Array.from({ length: 50 }, () => pauseAfter(new CloudError('capacity', 'No.'), attempts)))
    expect(shortest(5)).toBeGreaterThan(2 * shortest(2))
  })
})

test('polls a password change less and less often, but at least every minute', () => {
  const startedAt = Date.parse('2026-01-01T00:00:00Z')
  const readTimes = [0]
  for (let at = 0; at < 400; readTimes.push(at)) {
    const machine = { attempts: 0, observed_at: new Date(startedAt) } as MachineRow
    at += pauseBefore('password', machine, new Date(startedAt + at * 1000))!
  }
  expect(readTimes.map(Math.round)).toEqual([0, 1, 4, 14, 24, 34, 45, 60, 81, 107, 143, 191, 251, 311, 371, 431])
})

const NOW = new Date('2026-01-01T12:00:00Z')
const secondsAgo = (seconds: number) => new Date(NOW.getTime() - seconds * 1000)

/** Next action, machine, and the minimum and maximum number of seconds until the machine is processed again. */
test.each<[NextAction, Partial<MachineRow>, number | null, number?]>([
  ['settled', {}, null],
  // The periodic read of all machines includes machines with an operation in progress, so a single machine is rarely
  // read separately.
  ['wait', { command_at: null }, 90],
  ['wait', { command_at: secondsAgo(60) }, 90],
  ['wait', { command_at: secondsAgo(600) }, 300],
  ['wait', { command_at: secondsAgo(6_000) }, 600],
  ['read', {}, 1],
  ['read', { attempts: 9 }, 15, 30],
  ['password', { observed_at: secondsAgo(30) }, 10],
  ['password', { observed_at: null }, 60],
  ['password', { attempts: 1, observed_at: secondsAgo(30) }, 1, 2],
  ['password', { attempts: 9, observed_at: secondsAgo(30) }, 15, 30],
  ['delete', {}, 0],
  ['delete', { command: 'delete', command_accepted: true }, 20, 45],
  ['delete', { command: 'delete', command_accepted: false }, 0],
  ['delete', { command: 'stop', command_accepted: true }, 0],
  ['start', {}, 0],
  ['start', { attempts: 9 }, 30, 60],
])('pauses before %s of %j for %s to %s seconds', (action, facts, least, most = least ?? 0) => {
  const machine = { attempts: 0, command: null, command_at: null, command_accepted: false, ...facts } as MachineRow
  for (let again = 0; again < 20; again++) {
    expect(pauseBefore(action, machine, NOW)).toSatisfy((pause: number | null) =>
      pause === null || least === null ? pause === least : pause >= least && pause <= most,
    )
  }
})

test('spreads the retries of callers that wait for the same rate limit', () => {
  const pauses = Array.from({ length: 50 }, () => pauseAfter(new RequestDeferred('Waiting for the rate limit.', 1), 9))
  expect(Math.min(...pauses)).toBeGreaterThanOrEqual(1)
  expect(Math.max(...pauses)).toBeLessThanOrEqual(3)
  expect(new Set(pauses).size).toBe(50)
})
