import { describe, expect, test } from 'vitest'
import type { MachineStatus } from '../contract/machine-words.ts'
import {
  captureProblem,
  leadingCommand,
  powerOffProblem,
  powerOnProblem,
  restartProblem,
  selectRange,
  selectRunning,
  selectStopped,
  toggleAll,
  toggleOne,
  type Selectable,
} from './machine-selection.ts'

const machine = (_id: string, status: MachineStatus, overrides: Partial<Selectable> = {}): Selectable => ({
  _id,
  name: _id,
  isAlive: true,
  isRunning: status === 'Running',
  status,
  guacamole: false,
  capturing: false,
  refused: false,
  spendingCapReason: null,
  quota: { consumed: 0, total: null },
  ...overrides,
})
const on = machine('on', 'Running')
const on2 = machine('on2', 'Running')
const off = machine('off', 'Stopped')
const off2 = machine('off2', 'Stopped')

describe('selection buttons', () => {
  test('Bulk Select selects all, or none if all are selected', () => {
    expect([...toggleAll([on, off], new Set())]).toEqual(['on', 'off'])
    expect([...toggleAll([on, off], new Set(['on']))]).toEqual(['on', 'off'])
    expect([...toggleAll([on, off], new Set(['on', 'off']))]).toEqual([])
    expect([...toggleAll([], new Set())]).toEqual([])
  })
  test('Active Instances selects the running ones, Inactive Instances the others', () => {
    expect([...selectRunning([on, off, on2])]).toEqual(['on', 'on2'])
    expect([...selectStopped([on, off, on2])]).toEqual(['off'])
  })
  test('toggles one machine without changing the given set', () => {
    const before = new Set(['on'])
    expect([...toggleOne(before, 'off')]).toEqual(['on', 'off'])
    expect([...toggleOne(before, 'on')]).toEqual([])
    expect([...before]).toEqual(['on'])
  })
})

describe('range selection', () => {
  const ids = (selected: ReadonlySet<string>) => [...selected].toSorted()
  test('adds everything between the anchor and this machine, in both directions', () => {
    const list = [on, on2, off, off2]
    expect(ids(selectRange(list, new Set(['off2']), 'on', 'off'))).toEqual(['off', 'off2', 'on', 'on2'])
    expect(ids(selectRange(list, new Set(), 'off', 'on2'))).toEqual(['off', 'on2'])
  })
  test('adds only this machine without a visible anchor', () => {
    expect(ids(selectRange([on, off], new Set(), null, 'off'))).toEqual(['off'])
    expect(ids(selectRange([on, off], new Set(['on']), 'gone', 'off'))).toEqual(['off', 'on'])
  })
})

describe('power commands', () => {
  test('require a selection', () => {
    for (const problem of [powerOnProblem, powerOffProblem, restartProblem]) expect(problem([])).toBe('No VMs selected')
  })
  test('allow Power On only if no selected machine runs', () => {
    expect(powerOnProblem([off, off2])).toBeNull()
    expect(powerOnProblem([off, on])).toBe('One or more selected VMs are already running')
  })
  test('allow Power Off and Restart only if all selected machines run', () => {
    expect(powerOffProblem([on, on2])).toBeNull()
    expect(powerOffProblem([on, off])).toBe('One or more selected VMs are not running')
    expect(restartProblem([on, on2])).toBeNull()
    expect(restartProblem([on, off])).toBe('One or more selected VMs are not running')
  })
  test('report a machine that is being stopped, running or not', () => {
    for (const isRunning of [true, false]) {
      const stopping = machine('late', 'Stopping', { isRunning })
      expect(powerOffProblem([on, stopping])).toBe('late is already being stopped.')
      expect(restartProblem([on, stopping])).toBe('late is being stopped.')
    }
    expect(powerOnProblem([machine('late', 'Stopping', { isRunning: true })])).toBe('late is being stopped.')
  })
  test('allow Power Off for a failing machine that does not run', () => {
    expect(powerOffProblem([machine('bad', 'Failing')])).toBeNull()
  })
  test('report the reason of the first machine and the number of others', () => {
    const used = machine('used', 'Stopped', { quota: { consumed: 60, total: 60 } })
    expect(powerOnProblem([off, used])).toBe('The allocated hours of used are used up.')
    expect(powerOnProblem([used, machine('new', 'Creating')])).toBe(
      'The allocated hours of used are used up. 1 more of the selected instances can’t be used either.',
    )
  })
})

test.each([
  ['nothing', [], null],
  ['running machines', [on, on2], 'off'],
  ['stopped machines', [off, off2], 'on'],
  ['a running and a stopped machine', [on, off], null],
  ['a starting machine', [machine('starting', 'Starting')], null],
  ['a stopping machine', [machine('stopping', 'Stopping')], 'on'],
] as const)('the button of the possible command is filled: %s', (_what, selected, command) => {
  expect(leadingCommand(selected)).toBe(command)
})

describe('snapshot', () => {
  test('requires exactly one stopped machine without a snapshot in progress', () => {
    expect(captureProblem([])).toBe('No VMs selected')
    expect(captureProblem([off])).toBeNull()
    expect(captureProblem([off, off2])).toBe('Select only one instance: an image is created from one machine.')
    expect(captureProblem([on])).toBe('Stop on first. An image can be created only from a stopped machine.')
    expect(captureProblem([{ ...off, capturing: true }])).toBe('An image of off is already being created.')
    expect(powerOnProblem([{ ...off, capturing: true }])).toContain('Try again when the image is ready.')
  })
})
