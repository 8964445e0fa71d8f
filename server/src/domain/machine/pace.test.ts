import { describe, expect, test } from 'vitest'
import type { MachineRow } from '../../db/schema/machine.ts'
import { CloudError, type CloudTrouble, NotItsTurn } from '../../providers/cloud.ts'
import { pauseAfter, pauseBefore } from './pace.ts'

const TROUBLES: readonly CloudTrouble[] = [
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
  test.each(TROUBLES)('is tried again within 60 s, however often it failed (%s)', (trouble) => {
    for (const attempts of ATTEMPTS) {
      for (const patience of [300, 5]) {
        const pause = pauseAfter(new CloudError(trouble, 'No.', null, { patience }), attempts)
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
