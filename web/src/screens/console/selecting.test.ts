import { describe, expect, test } from 'vitest'
import type { MachineStatus } from '@trainyard/contract/words/machine.ts'
import {
  captureProblem,
  powerOffProblem,
  powerOnProblem,
  restartProblem,
  selectRange,
  selectRunning,
  selectStopped,
  toggleAll,
  toggleOne,
  type Selectable,
} from './selecting.ts'

const machine = (_id: string, status: MachineStatus, more: Partial<Selectable> = {}): Selectable => ({
  _id,
  name: _id,
  isAlive: true,
  isRunning: status === 'Running',
  status,
  guacamole: false,
  capturing: false,
  refused: false,
  leash: null,
  quota: { consumed: 0, total: null },
  ...more,
})
const on = machine('on', 'Running')
const on2 = machine('on2', 'Running')
const off = machine('off', 'Stopped')
const off2 = machine('off2', 'Stopped')

describe('selecting', () => {
  // @covers R6.5
  test('Bulk Select selects all, or none when all are selected', () => {
    expect([...toggleAll([on, off], new Set())]).toEqual(['on', 'off'])
    expect([...toggleAll([on, off], new Set(['on']))]).toEqual(['on', 'off'])
    expect([...toggleAll([on, off], new Set(['on', 'off']))]).toEqual([])
    expect([...toggleAll([], new Set())]).toEqual([])
  })
  // @covers R6.5
  test('Active Instances selects the running ones, Inactive Instances the others', () => {
    expect([...selectRunning([on, off, on2])]).toEqual(['on', 'on2'])
    expect([...selectStopped([on, off, on2])]).toEqual(['off'])
  })
  // @covers R4.6
  test('a machine is selected and deselected, and the given set stays unchanged', () => {
    const before = new Set(['on'])
    expect([...toggleOne(before, 'off')]).toEqual(['on', 'off'])
    expect([...toggleOne(before, 'on')]).toEqual([])
    expect([...before]).toEqual(['on'])
  })
})

describe('a range', () => {
  const ids = (selected: ReadonlySet<string>) => [...selected].toSorted()
  test('goes from the one before to this one, up or down, and adds to the selection', () => {
    const list = [on, on2, off, off2]
    expect(ids(selectRange(list, new Set(['off2']), 'on', 'off'))).toEqual(['off', 'off2', 'on', 'on2'])
    expect(ids(selectRange(list, new Set(), 'off', 'on2'))).toEqual(['off', 'on2'])
  })
  test('is this one alone where there is none before, or it is not shown any more', () => {
    expect(ids(selectRange([on, off], new Set(), null, 'off'))).toEqual(['off'])
    expect(ids(selectRange([on, off], new Set(['on']), 'gone', 'off'))).toEqual(['off', 'on'])
  })
})

describe('power', () => {
  test('needs a selection', () => {
    for (const problem of [powerOnProblem, powerOffProblem, restartProblem]) expect(problem([])).toBe('No VMs selected')
  })
  // @covers R5.5
  test('is switched on only when none of the selected runs', () => {
    expect(powerOnProblem([off, off2])).toBeNull()
    expect(powerOnProblem([off, on])).toBe('One or more selected VMs are already running')
  })
  // @covers R5.5
  test('is switched off, or restarted, only when all of the selected run', () => {
    expect(powerOffProblem([on, on2])).toBeNull()
    expect(powerOffProblem([on, off])).toBe('One or more selected VMs are not running')
    expect(restartProblem([on, on2])).toBeNull()
    expect(restartProblem([on, off])).toBe('One or more selected VMs are not running')
  })
  test('says of a machine that is being stopped that it is, running still or not', () => {
    for (const isRunning of [true, false]) {
      const stopping = machine('late', 'Stopping', { isRunning })
      expect(powerOffProblem([on, stopping])).toBe('late is being stopped already.')
      expect(restartProblem([on, stopping])).toBe('late is being stopped.')
    }
    expect(powerOnProblem([machine('late', 'Stopping', { isRunning: true })])).toBe('late is being stopped.')
  })
  test('a failing machine can be powered off though it does not run', () => {
    expect(powerOffProblem([machine('bad', 'Failing')])).toBeNull()
  })
  test("gives, beyond the spec's alerts, the reason of the machines' own rule, and the number of machines", () => {
    const used = machine('used', 'Stopped', { quota: { consumed: 60, total: 60 } })
    expect(powerOnProblem([off, used])).toBe('The allotted hours of used are used up.')
    expect(powerOnProblem([used, machine('new', 'Creating')])).toBe(
      'The allotted hours of used are used up. 1 more of those selected can’t be used for this either.',
    )
  })
})

describe('an image', () => {
  test('is made of just one stopped machine, once at a time', () => {
    expect(captureProblem([])).toBe('No VMs selected')
    expect(captureProblem([off])).toBeNull()
    expect(captureProblem([off, off2])).toBe('Select one instance alone: an image is made of one machine.')
    expect(captureProblem([on])).toBe('Stop on first: an image is made of a stopped machine.')
    expect(captureProblem([{ ...off, capturing: true }])).toBe('An image of off is being made already.')
    expect(powerOnProblem([{ ...off, capturing: true }])).toContain('can be started when that is done')
  })
})
