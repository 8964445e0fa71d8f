import { describe, expect, test } from 'vitest'
import type { MachineRow } from '../../db/schema/machine.ts'
import { CloudError, type CloudErrorKind, NotItsTurn } from '../../providers/cloud.ts'
import { pauseAfter } from '../../reconcile/failures.ts'
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

describe('what somebody waits for', () => {
  test.each(ERROR_KINDS)('is tried again within 60 s, however often it failed (%s)', (kind) => {
    for (const attempts of ATTEMPTS) {
      for (const patience of [300, 5]) {
        const pause = pauseAfter(new CloudError(kind, 'No.', null, { patience }), attempts)
        expect(pause).toBeLessThanOrEqual(60)
        expect(pause).toBeGreaterThan(0.5)
      }
    }
  })

  test.each(['create', 'start', 'stop', 'restart'] as const)('that failed at the provider likewise (%s)', (next) => {
    for (const attempts of ATTEMPTS) {
      expect(pauseBefore(next, { attempts } as MachineRow, new Date())).toBeLessThanOrEqual(60)
    }
  })

  test('waits as long as the provider asks for', () => {
    expect(pauseAfter(new CloudError('throttled', 'Slow down.', 240), 1)).toBeGreaterThanOrEqual(240)
    expect(pauseAfter(new NotItsTurn('Its turn comes.', 90), 9)).toBeGreaterThanOrEqual(90)
  })

  test('waits longer the more often it failed', () => {
    const shortest = (attempts: number) =>
      Math.min(...Array.from({ length: 50 }, () => pauseAfter(new CloudError('capacity', 'No.'), attempts)))
    expect(shortest(5)).toBeGreaterThan(2 * shortest(2))
  })
})

test('a password that is being set is asked after ever more seldom, and at least every minute', () => {
  const running = Date.parse('2026-01-01T00:00:00Z')
  const looks = [0]
  for (let at = 0; at < 400; looks.push(at)) {
    const machine = { attempts: 0, observed_at: new Date(running) } as MachineRow
    at += pauseBefore('password', machine, new Date(running + at * 1000))!
  }
  expect(looks.map(Math.round)).toEqual([0, 1, 4, 14, 24, 34, 45, 60, 81, 107, 143, 191, 251, 311, 371, 431])
})
