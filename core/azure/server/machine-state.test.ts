import { describe, expect, test } from 'vitest'
import { machineState } from './machine-state.ts'

const time = new Date('2026-11-21T02:00:00.500Z')

function machine(provisioning: string | null, power: string | null, message?: string) {
  const statuses = [
    ...(provisioning === null ? [] : [{ code: `ProvisioningState/${provisioning}`, time, message }]),
    ...(power === null ? [] : [{ code: `PowerState/${power}` }]),
  ]
  return { instanceView: { statuses } }
}

const FAILED = (code: string) => `${code}: Azure gave no reason.`

describe('Azure’s states of a machine', () => {
  test.each([
    ['succeeded', 'running', { state: 'running', since: time }],
    ['succeeded', 'deallocated', { state: 'stopped', since: time }],
    // The machine was shut down from inside, so it is billed. Azure does not report since when.
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
    [
      'failed/OSProvisioningTimedOut',
      'running',
      { state: 'running', since: time, failure: FAILED('OSProvisioningTimedOut') },
    ],
    ['failed/AllocationFailed', 'stopped', { state: 'halted', since: time, failure: FAILED('AllocationFailed') }],
    ['failed/AllocationFailed', 'deallocated', { state: 'stopped', since: time, failure: FAILED('AllocationFailed') }],
    [
      'canceled',
      'running',
      {
        state: 'running',
        since: time,
        failure:
          'Azure canceled the last operation on the machine: Azure gave no reason. The portal retries automatically.',
      },
    ],
    [null, null, { state: 'changing', toward: 'unknown' }],
  ] as const)('%s and %s', (provisioning, power, seen) => {
    expect(machineState(machine(provisioning, power))).toEqual(seen)
  })

  test("reports a failure in Azure's words, and the power state if Azure reports one", () => {
    const failed = (power: string | null) =>
      machineState(machine('failed/AllocationFailed', power, 'No room\nin this zone.'))
    const failure = 'AllocationFailed: No room in this zone.'
    expect(failed('deallocated')).toEqual({ state: 'stopped', since: time, failure })
    expect(failed(null)).toEqual({ state: 'failed', since: time, reason: failure })
  })

  test('uses the general provisioning state if there is no status for it', () => {
    expect(machineState({ provisioningState: 'Deleting' })).toEqual({ state: 'changing', toward: 'absent' })
    expect(machineState({ provisioningState: 'Failed' })).toEqual({
      state: 'failed',
      since: null,
      reason: 'Azure gave no reason.',
    })
  })
})
