import { describe, expect, test } from 'vitest'
import { seenOf } from './seen.ts'

const time = new Date('2026-11-21T02:00:00.500Z')

function machine(provisioning: string | null, power: string | null, message?: string) {
  const statuses = [
    ...(provisioning === null ? [] : [{ code: `ProvisioningState/${provisioning}`, time, message }]),
    ...(power === null ? [] : [{ code: `PowerState/${power}` }]),
  ]
  return { instanceView: { statuses } }
}

describe('what Azure says of a machine', () => {
  test.each([
    ['succeeded', 'running', { state: 'running', since: time }],
    ['succeeded', 'deallocated', { state: 'stopped', since: time }],
    // Shut down from inside: billed, and Azure does not say since when.
    ['succeeded', 'stopped', { state: 'halted', since: null }],
    ['succeeded', 'starting', { state: 'changing', toward: 'running' }],
    ['succeeded', 'unknown', { state: 'changing', toward: 'unknown' }],
    ['succeeded', null, { state: 'changing', toward: 'unknown' }],
    ['creating', null, { state: 'changing', toward: 'running' }],
    ['creating', 'running', { state: 'changing', toward: 'running' }],
    ['updating', 'starting', { state: 'changing', toward: 'running' }],
    ['updating', 'stopping', { state: 'changing', toward: 'stopped' }],
    ['updating', 'deallocating', { state: 'changing', toward: 'stopped' }],
    ['updating', 'running', { state: 'changing', toward: 'unknown' }],
    ['deleting', 'running', { state: 'changing', toward: 'absent' }],
    ['failed/OSProvisioningTimedOut', 'running', { state: 'running', since: null }],
    ['failed/AllocationFailed', 'stopped', { state: 'halted', since: null }],
    [null, null, { state: 'changing', toward: 'unknown' }],
  ] as const)('%s and %s', (provisioning, power, seen) => {
    expect(seenOf(machine(provisioning, power))).toEqual(seen)
  })

  test.each(['deallocated', null])('a failure that is not billed (%s) is told in the words of Azure', (power) => {
    expect(seenOf(machine('failed/AllocationFailed', power, 'No room\nin this zone.'))).toEqual({
      state: 'failed',
      reason: 'AllocationFailed: No room in this zone.',
    })
  })

  test('the plain provisioning state counts where the list has no status of it', () => {
    expect(seenOf({ provisioningState: 'Deleting' })).toEqual({ state: 'changing', toward: 'absent' })
    expect(seenOf({ provisioningState: 'Failed' })).toEqual({ state: 'failed', reason: 'Azure gave no reason.' })
  })
})
