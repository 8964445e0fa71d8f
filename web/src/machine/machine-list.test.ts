import { expect, test } from 'vitest'
import type { Machine } from '@trainyard/contract/calls/machine.ts'
import { mergeMachines, partsOf } from './machine-list.ts'

const machine = (_id: string, status: Machine['status']): Machine => ({
  _id,
  name: _id,
  resourceGroup: 'rg',
  os: 'Ubuntu',
  osType: 'Linux',
  adminUsername: 'labadmin',
  adminPass: null,
  publicIp: null,
  isAlive: true,
  isRunning: status === 'Running',
  guacamole: false,
  quota: { consumed: 0, total: null },
  email: 'a@acme.test',
  status,
  statusReason: null,
  capturing: false,
  refused: false,
  leash: null,
  progress: null,
})

test('a changed machine takes its place, a new one goes to the end, and an unchanged one is the very same object', () => {
  const list = [machine('a', 'Creating'), machine('b', 'Running'), machine('c', 'Stopped')]
  const merged = mergeMachines(list, [machine('a', 'Running'), machine('d', 'Creating')])
  expect(merged.map(({ _id, status }) => `${_id} ${status}`)).toEqual([
    'a Running',
    'b Running',
    'c Stopped',
    'd Creating',
  ])
  expect(merged[1]).toBe(list[1])
  expect(list[0]!.status).toBe('Creating')
})

test('of two changes to one machine the later counts', () => {
  expect(mergeMachines([machine('a', 'Creating')], [machine('a', 'Starting'), machine('a', 'Running')])).toEqual([
    machine('a', 'Running'),
  ])
})

test('a long list is split into parts, with nothing twice and nothing left out', () => {
  const list = Array.from({ length: 2500 }, (_, index) => index)
  const parts = partsOf(list, 1000)
  expect(parts.map((part) => part.length)).toEqual([1000, 1000, 500])
  expect(parts.flat()).toEqual(list)
  expect(partsOf([], 1000)).toEqual([])
})
