import { expect, test } from 'vitest'
import { can, type MachineView } from './machine.ts'

const lab: MachineView = {
  name: 'lab-1',
  isAlive: true,
  isRunning: false,
  status: 'Stopped',
  guacamole: true,
  capturing: false,
  quota: { consumed: 0, total: null },
}

test.each(['powerOn', 'powerOff', 'restart', 'capture'] as const)(
  '%s says that a machine goes, or is gone',
  (action) => {
    expect(can[action]({ ...lab, status: 'Deleting', capturing: true })).toBe('lab-1 is being deleted.')
    expect(can[action]({ ...lab, status: 'Terminated', isAlive: false })).toBe('lab-1 is terminated.')
  },
)
