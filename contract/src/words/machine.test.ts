import { expect, test } from 'vitest'
import { can, type MachineView } from './machine.ts'

const lab: MachineView = {
  name: 'lab-1',
  isAlive: true,
  isRunning: false,
  status: 'Stopped',
  guacamole: true,
  capturing: false,
  refused: false,
  leash: null,
  quota: { consumed: 0, total: null },
}

test.each(['powerOn', 'powerOff', 'restart', 'capture'] as const)(
  '%s says that a machine goes, or is gone',
  (action) => {
    expect(can[action]({ ...lab, status: 'Deleting', capturing: true })).toBe('lab-1 is being deleted.')
    expect(can[action]({ ...lab, status: 'Terminated', isAlive: false })).toBe('lab-1 is terminated.')
  },
)

test('a machine that is being stopped is said to be so by every action, while it runs and after', () => {
  for (const isRunning of [true, false]) {
    const stopping: MachineView = { ...lab, status: 'Stopping', isRunning }
    expect(can.powerOff(stopping)).toBe('lab-1 is being stopped already.')
    expect(can.restart(stopping)).toBe('lab-1 is being stopped.')
    expect(can.openInBrowser(stopping)).toBe('lab-1 is being stopped.')
  }
  expect(can.powerOn({ ...lab, status: 'Stopping', isRunning: true })).toBe('lab-1 is being stopped.')
  expect(can.powerOn({ ...lab, status: 'Stopping', isRunning: false })).toBe(true)
  expect(can.powerOn({ ...lab, status: 'Running', isRunning: true })).toBe('lab-1 is already running.')
})

test('a machine whose hours are used up is neither started nor restarted', () => {
  const used: MachineView = { ...lab, quota: { consumed: 60, total: 60 } }
  expect(can.powerOn(used)).toBe('The allotted hours of lab-1 are used up.')
  expect(can.restart({ ...used, status: 'Failing', isRunning: true })).toBe('The allotted hours of lab-1 are used up.')
})

test('a machine that a budget keeps off is neither started, restarted nor reset, but can be stopped', () => {
  const kept: MachineView = { ...lab, leash: 'The budget of Labs is used up.' }
  const stillOn: MachineView = { ...kept, status: 'Running', isRunning: true }
  expect([can.powerOn(kept), can.reset(kept), can.restart(stillOn)]).toEqual([kept.leash, kept.leash, kept.leash])
  expect(can.powerOff(stillOn)).toBe(true)
})

test('a machine that was refused for good is tried again by Power On, one that is tried anyway is not', () => {
  expect(can.powerOn({ ...lab, status: 'Failing', refused: true })).toBe(true)
  expect(can.powerOn({ ...lab, status: 'Failing' })).toBe('lab-1 is being retried already.')
})
