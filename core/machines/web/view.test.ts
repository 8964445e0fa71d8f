import { expect, test } from 'vitest'
import type { Machine } from '../contract/machine.ts'
import { countStates, filterMachines, sortMachines, nextSort, formatSort, parseView } from './view.ts'

const machine = (name: string, email: string, overrides: Partial<Machine> = {}): Machine => ({
  _id: name,
  name,
  resourceGroup: 'rg',
  os: 'Ubuntu',
  osType: 'Linux',
  adminUsername: 'labadmin',
  adminPass: null,
  publicIp: null,
  addressKind: 'public address',
  isAlive: true,
  isRunning: false,
  guacamole: false,
  quota: { consumed: 0, total: null },
  email,
  status: 'Stopped',
  learnerName: null,
  readyAt: null,
  earlyStart: true,
  statusReason: null,
  capturing: false,
  refused: false,
  spendingCapReason: null,
  progress: null,
  ...overrides,
})
const list = [
  machine('lab-10', 'zoe@acme.test', { publicIp: '20.0.0.9', quota: { consumed: 30, total: 60 } }),
  machine('lab-9', 'asha@acme.test', { status: 'Running', quota: { consumed: 0, total: 600 } }),
  machine('lab-2', 'mira@acme.test', { status: 'Failing', publicIp: '20.0.0.10' }),
]
const names = (machines: readonly Machine[]) => machines.map(({ name }) => name)

test('puts failing machines first in any order', () => {
  expect(names(sortMachines(list, { by: 'learner', desc: false }))).toEqual(['lab-2', 'lab-9', 'lab-10'])
  expect(names(sortMachines(list, { by: 'learner', desc: true }))).toEqual(['lab-2', 'lab-10', 'lab-9'])
})

test('compares numbers in names and addresses as numbers, and no limit as the largest', () => {
  const calm = list.map((each) => ({ ...each, status: 'Stopped' as const }))
  expect(names(sortMachines(calm, { by: 'name', desc: false }))).toEqual(['lab-2', 'lab-9', 'lab-10'])
  expect(names(sortMachines(calm, { by: 'hours', desc: false }))).toEqual(['lab-10', 'lab-9', 'lab-2'])
  expect(names(sortMachines(calm, { by: 'address', desc: false }))).toEqual(['lab-10', 'lab-2', 'lab-9'])
})

test('filters machines by status and text', () => {
  expect(names(filterMachines(list, parseView({ state: 'Running' })))).toEqual(['lab-9'])
  expect(names(filterMachines(list, parseView({ find: 'acme', state: 'Stopped' })))).toEqual(['lab-10'])
  expect(countStates(list)).toEqual([
    { status: 'Failing', count: 1 },
    { status: 'Running', count: 1 },
    { status: 'Stopped', count: 1 },
  ])
})

test('shows all machines by learner for an unknown status or order', () => {
  expect(parseView({ state: 'Sleeping', sort: '-size' })).toEqual({
    find: '',
    state: null,
    sort: { by: 'learner', desc: false },
  })
})

test('writes an order as it is read, and reverses it on the second press', () => {
  for (const sort of ['name', '-hours', '-learner']) expect(formatSort(parseView({ sort }).sort)).toBe(sort)
  expect(formatSort(parseView({}).sort)).toBeUndefined()
  const sortedOnce = nextSort(parseView({}).sort, 'state')
  expect(sortedOnce).toEqual({ by: 'state', desc: false })
  expect(nextSort(sortedOnce, 'state')).toEqual({ by: 'state', desc: true })
})
