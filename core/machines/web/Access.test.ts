import { expect, test } from 'vitest'
import { connectCommand } from './Access.tsx'

test('returns ssh for Linux, mstsc for Windows, and null without an address', () => {
  expect(connectCommand({ osType: 'Linux', publicIp: '20.1.2.3', adminUsername: 'lab' })).toBe('ssh lab@20.1.2.3')
  expect(connectCommand({ osType: 'Windows', publicIp: '20.1.2.3', adminUsername: 'lab' })).toBe('mstsc /v:20.1.2.3')
  expect(connectCommand({ osType: 'Linux', publicIp: null, adminUsername: 'lab' })).toBeNull()
})
