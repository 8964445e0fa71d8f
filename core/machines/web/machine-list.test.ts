import { expect, test } from 'vitest'
import type { Machine } from '../contract/machine.ts'
import { mergeMachines, chunksOf, imageText } from './machine-list.ts'
import { rowActionOf } from './power-action.ts'

const machine = (_id: string, status: Machine['status']): Machine => ({
  _id,
  name: _id,
  resourceGroup: 'rg',
  os: 'Ubuntu',
  osType: 'Linux',
  adminUsername: 'labadmin',
  adminPass: null,
  publicIp: null,
  addressKind: 'public address',
  isAlive: true,
  isRunning: status === 'Running',
  guacamole: false,
  quota: { consumed: 0, total: null },
  email: 'a@acme.test',
  status,
  learnerName: null,
  readyAt: null,
  earlyStart: true,
  statusReason: null,
  capturing: false,
  refused: false,
  spendingCapReason: null,
  progress: null,
})

test('replaces changed machines in place, appends new machines, and keeps unchanged objects identical', () => {
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

test('uses the later of two changes to the same machine', () => {
  expect(mergeMachines([machine('a', 'Creating')], [machine('a', 'Starting'), machine('a', 'Running')])).toEqual([
    machine('a', 'Running'),
  ])
})

test('splits a long list into parts without losing or repeating elements', () => {
  const list = Array.from({ length: 2500 }, (_, index) => index)
  const parts = chunksOf(list, 1000)
  expect(parts.map((part) => part.length)).toEqual([1000, 1000, 500])
  expect(parts.flat()).toEqual(list)
  expect(chunksOf([], 1000)).toEqual([])
})

test.each([
  ['ubuntu-24_04-lts server', 'Ubuntu 24.04 LTS server'],
  ['WindowsServer 2022-datacenter-azure-edition', 'Windows Server 2022 datacenter azure edition'],
  ['Windows', 'Windows'],
])('writes the image %s as %s', (os, text) => {
  expect(imageText(os)).toBe(text)
})

test('gives each row one action: why it fails, the browser, or a start, but no start of a planned machine', () => {
  const running = { ...machine('a', 'Running'), guacamole: true }
  expect(rowActionOf(running, true)).toBe('open')
  expect(rowActionOf(running, false)).toBeNull()
  expect(rowActionOf({ ...running, status: 'Failing' }, true)).toBe('why')
  expect(rowActionOf(machine('b', 'Stopped'), true)).toBe('on')
  expect(rowActionOf(machine('c', 'Planned'), true)).toBeNull()
  expect(rowActionOf(machine('d', 'Starting'), true)).toBeNull()
})
