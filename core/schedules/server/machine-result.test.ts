import { expect, test } from 'vitest'
import { minutesOfHours } from '@trainyard/platform/contract/words/duration.ts'
import { machineResult } from './machine-result.ts'

const stopped = {
  desired: 'stopped',
  observed: 'stopped',
  last_error: null,
  allotted_minutes: minutesOfHours(1),
  create_later: false,
} as const
const ACTED = { outcome: 'acted', reason: null }
const USED_UP = { outcome: 'failed', reason: 'allocated hours are used up' }

test.each([
  ['a second before its hours are used up', 3_599, ACTED],
  ['in the second in which its hours are used up', 3_600, USED_UP],
  ['after its hours are used up', 3_601, USED_UP],
])('a machine is started or not: %s', (_when, used, result) => {
  expect(machineResult('Start', stopped, used, null)).toEqual(result)
})

test('starts a machine without a quota, and stops any machine, regardless of its usage', () => {
  expect(machineResult('Start', { ...stopped, allotted_minutes: null }, 1e9, null)).toEqual(ACTED)
  expect(machineResult('Start', stopped, 0, 'the budget is used up')).toEqual({
    outcome: 'failed',
    reason: 'the budget is used up',
  })
  expect(
    machineResult('Stop', { ...stopped, desired: 'running', observed: 'running' }, 1e9, 'the budget is used up'),
  ).toEqual(ACTED)
})

const skipped = (reason: string) => ({ outcome: 'skipped', reason })

test.each([
  ['Start', { desired: 'gone' }, skipped('being deleted')],
  ['Stop', { desired: 'gone' }, skipped('being deleted')],
  ['Start', { desired: 'running', observed: 'running' }, skipped('already running')],
  ['Start', { desired: 'running', observed: 'changing' }, skipped('already starting')],
  ['Stop', { desired: 'stopped', observed: 'stopped' }, skipped('already stopped')],
  ['Stop', { desired: 'stopped', observed: 'running' }, skipped('already stopping')],
  ['Stop', { desired: 'stopped', observed: 'absent', create_later: true }, skipped('not created yet')],
  ['Start', { desired: 'stopped', observed: 'absent', create_later: true }, ACTED],
  ['Stop', { desired: 'running', observed: 'running' }, ACTED],
  ['Start', { desired: 'running', observed: 'stopped', last_error: 'No room.' }, ACTED],
  ['Stop', { desired: 'stopped', observed: 'running', last_error: 'No answer.' }, ACTED],
] as const)('%s of %j results in %j', (action, facts, result) => {
  expect(machineResult(action, { ...stopped, ...facts }, 0, null)).toEqual(result)
})
