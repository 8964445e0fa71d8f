import { expect, test } from 'vitest'
import type { Machine } from '@trainyard/contract/calls/machine.ts'
import { countStates, inView, ordered, pressed, sortText, viewOf } from './view.ts'

const machine = (name: string, email: string, more: Partial<Machine> = {}): Machine => ({
  _id: name,
  name,
  resourceGroup: 'rg',
  os: 'Ubuntu',
  osType: 'Linux',
  adminUsername: 'labadmin',
  adminPass: null,
  publicIp: null,
  isAlive: true,
  isRunning: false,
  guacamole: false,
  quota: { consumed: 0, total: null },
  email,
  status: 'Stopped',
  statusReason: null,
  capturing: false,
  refused: false,
  leash: null,
  progress: null,
  ...more,
})
const list = [
  machine('lab-10', 'zoe@acme.test', { publicIp: '20.0.0.9', quota: { consumed: 30, total: 60 } }),
  machine('lab-9', 'asha@acme.test', { status: 'Running', quota: { consumed: 0, total: 600 } }),
  machine('lab-2', 'mira@acme.test', { status: 'Failing', publicIp: '20.0.0.10' }),
]
const names = (machines: readonly Machine[]) => machines.map(({ name }) => name)

test('failing machines stand on top, in whatever order the others are', () => {
  expect(names(ordered(list, { by: 'learner', desc: false }))).toEqual(['lab-2', 'lab-9', 'lab-10'])
  expect(names(ordered(list, { by: 'learner', desc: true }))).toEqual(['lab-2', 'lab-10', 'lab-9'])
})

test('numbers in names and addresses count as numbers, and no limit is more than any', () => {
  const calm = list.map((each) => ({ ...each, status: 'Stopped' as const }))
  expect(names(ordered(calm, { by: 'name', desc: false }))).toEqual(['lab-2', 'lab-9', 'lab-10'])
  expect(names(ordered(calm, { by: 'hours', desc: false }))).toEqual(['lab-10', 'lab-9', 'lab-2'])
  expect(names(ordered(calm, { by: 'address', desc: false }))).toEqual(['lab-10', 'lab-2', 'lab-9'])
})

test('a view holds the machines of its state that its text finds', () => {
  expect(names(inView(list, viewOf({ state: 'Running' })))).toEqual(['lab-9'])
  expect(names(inView(list, viewOf({ find: 'acme', state: 'Stopped' })))).toEqual(['lab-10'])
  expect(countStates(list)).toEqual([
    { status: 'Failing', count: 1 },
    { status: 'Running', count: 1 },
    { status: 'Stopped', count: 1 },
  ])
})

test('an address that names a state or an order there is none of shows all by learner', () => {
  expect(viewOf({ state: 'Sleeping', sort: '-size' })).toEqual({
    find: '',
    state: null,
    sort: { by: 'learner', desc: false },
  })
})

test('an order is read as it was written, and a heading pressed twice turns it', () => {
  for (const sort of ['name', '-hours', '-learner']) expect(sortText(viewOf({ sort }).sort)).toBe(sort)
  expect(sortText(viewOf({}).sort)).toBeUndefined()
  const once = pressed(viewOf({}).sort, 'state')
  expect(once).toEqual({ by: 'state', desc: false })
  expect(pressed(once, 'state')).toEqual({ by: 'state', desc: true })
})
