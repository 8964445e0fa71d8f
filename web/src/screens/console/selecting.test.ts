import { describe, expect, test } from 'vitest'
import type { MachineStatus } from '@trainyard/contract/words/machine.ts'
import {
  captureProblem,
  powerOffProblem,
  powerOnProblem,
  restartProblem,
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
  quota: { consumed: 0, total: null },
  ...more,
})
const on = machine('on', 'Running')
const on2 = machine('on2', 'Running')
const off = machine('off', 'Stopped')
const off2 = machine('off2', 'Stopped')

describe('selecting', () => {
  test('Bulk Select takes all, and lets go of all when all were taken', () => {
    expect([...toggleAll([on, off], new Set())]).toEqual(['on', 'off'])
    expect([...toggleAll([on, off], new Set(['on']))]).toEqual(['on', 'off'])
    expect([...toggleAll([on, off], new Set(['on', 'off']))]).toEqual([])
    expect([...toggleAll([], new Set())]).toEqual([])
  })
  test('Active Instances takes the running ones, Inactive Instances the others', () => {
    expect([...selectRunning([on, off, on2])]).toEqual(['on', 'on2'])
    expect([...selectStopped([on, off, on2])]).toEqual(['off'])
  })
  test('one is taken and let go of, and the set given stays as it was', () => {
    const before = new Set(['on'])
    expect([...toggleOne(before, 'off')]).toEqual(['on', 'off'])
    expect([...toggleOne(before, 'on')]).toEqual([])
    expect([...before]).toEqual(['on'])
  })
})

describe('power', () => {
  test('nothing selected', () => {
    for (const problem of [powerOnProblem, powerOffProblem, restartProblem]) expect(problem([])).toBe('No VMs selected')
  })
  test('on only when none of them runs', () => {
    expect(powerOnProblem([off, off2])).toBeNull()
    expect(powerOnProblem([off, on])).toBe('One or more selected VMs are already running')
  })
  test('off and restart only when all of them run', () => {
    expect(powerOffProblem([on, on2])).toBeNull()
    expect(powerOffProblem([on, off])).toBe('One or more selected VMs are not running')
    expect(restartProblem([on, on2])).toBeNull()
    expect(restartProblem([on, off])).toBe('One or more selected VMs are not running')
  })
  test('one that is being stopped is said to be so, whether it runs still or not', () => {
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
  test("beyond the spec's alerts, the machines' own rule says why not, and of how many", () => {
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
