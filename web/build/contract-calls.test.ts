import { z } from 'zod'
import { expect, it } from 'vitest'
import { contract } from '@trainyard/contract/contract.ts'
import type { Call } from '@trainyard/contract/call.ts'
import { wireCall } from './contract-calls.ts'

it('a call of the contract has its method, its path and the place of its input', () => {
  expect(wireCall('session.login', contract.session.login)).toEqual({
    method: 'POST',
    path: '/user/login',
    input: 'body',
    creates: false,
  })
  expect(wireCall('machine.list', contract.machine.list).input).toBe('query')
  expect(wireCall('machine.order', contract.machine.order).creates).toBe(true)
  expect(wireCall('session.me', contract.session.me).input).toBeNull()
})

it('a call with two inputs is refused, since the client could not tell them apart', () => {
  const both: Call = {
    method: 'POST',
    path: '/x',
    roles: 'anyone',
    summary: '',
    query: z.object({}),
    body: z.object({}),
    reply: z.object({}),
  }
  expect(() => wireCall('x.both', both)).toThrow('x.both takes both')
})
