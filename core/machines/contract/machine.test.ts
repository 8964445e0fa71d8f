import { expect, test } from 'vitest'
import { can, type MachineActionFacts } from './machine-words.ts'

const lab: MachineActionFacts = {
  name: 'lab-1',
  isAlive: true,
  isRunning: false,
  status: 'Stopped',
  guacamole: true,
  capturing: false,
  refused: false,
  spendingCapReason: null,
  quota: { consumed: 0, total: null },
}

test.each(['powerOn', 'powerOff', 'restart', 'capture'] as const)(
  '%s is refused for a deleting or terminated machine',
  (action) => {
    expect(can[action]({ ...lab, status: 'Deleting', capturing: true })).toBe('lab-1 is being deleted.')
    expect(can[action]({ ...lab, status: 'Terminated', isAlive: false })).toBe('lab-1 is terminated.')
  },
)

test('every action reports that a machine is being stopped, before and after the provider has stopped it', () => {
  for (const isRunning of [true, false]) {
    const stopping: MachineActionFacts = { ...lab, status: 'Stopping', isRunning }
    expect(can.powerOff(stopping)).toBe('lab-1 is already being stopped.')
    expect(can.restart(stopping)).toBe('lab-1 is being stopped.')
    expect(can.openInBrowser(stopping)).toBe('lab-1 is being stopped.')
  }
  expect(can.powerOn({ ...lab, status: 'Stopping', isRunning: true })).toBe('lab-1 is being stopped.')
  expect(can.powerOn({ ...lab, status: 'Stopping', isRunning: false })).toBe(true)
  expect(can.powerOn({ ...lab, status: 'Running', isRunning: true })).toBe('lab-1 is already running.')
})

test('a machine with used-up hours can be neither started nor restarted', () => {
  const used: MachineActionFacts = { ...lab, quota: { consumed: 60, total: 60 } }
  expect(can.powerOn(used)).toBe('The allocated hours of lab-1 are used up.')
  expect(can.restart({ ...used, status: 'Failing', isRunning: true })).toBe('The allocated hours of lab-1 are used up.')
})

test('a machine above its spending cap can be stopped, but not started, restarted or reset', () => {
  const kept: MachineActionFacts = { ...lab, spendingCapReason: 'The budget of Labs is used up.' }
  const stillOn: MachineActionFacts = { ...kept, status: 'Running', isRunning: true }
  expect([can.powerOn(kept), can.reset(kept), can.restart(stillOn)]).toEqual([
    kept.spendingCapReason,
    kept.spendingCapReason,
    kept.spendingCapReason,
  ])
  expect(can.powerOff(stillOn)).toBe(true)
})

test('Power On retries a permanent failure, but not one that is being retried automatically', () => {
  expect(can.powerOn({ ...lab, status: 'Failing', refused: true })).toBe(true)
  expect(can.powerOn({ ...lab, status: 'Failing' })).toBe('lab-1 is already being retried.')
})
