import { expect, test } from 'vitest'
import { isLoopback } from './loopback.ts'

test.each(['localhost', 'LocalHost', '127.0.0.1', '127.8.9.10', '[::1]'])('accepts %s as the local machine', (host) => {
  expect(isLoopback(host)).toBe(true)
})

test.each([
  '127.evil.example',
  '127.0.0.1.evil.example',
  '127.1.2.999',
  'localhost.evil.example',
  '0.0.0.0',
  '::1',
  '',
])('rejects %j', (host) => {
  expect(isLoopback(host)).toBe(false)
})
