import { z } from 'zod'
import { expect, it } from 'vitest'
import { contract } from '@trainyard/modules/contract.ts'
import type { Call } from '@trainyard/platform/contract/call.ts'
import { sourceOf, wireCall } from './contract-calls.ts'

it('returns method, path and input of a contract call', () => {
  expect(wireCall('session.login', contract.session.login)).toEqual({
    method: 'POST',
    path: '/user/login',
    input: 'body',
    creates: false,
    reads: false,
    isOpen: true,
  })
  expect(wireCall('machine.list', contract.machine.list).input).toBe('query')
  expect(wireCall('machine.order', contract.machine.order)).toMatchObject({ creates: true, isOpen: false })
  expect(wireCall('session.me', contract.session.me)).toMatchObject({ input: null, reads: true })
  expect(wireCall('guide.preview', contract.guide.preview)).toMatchObject({ method: 'POST', reads: true })
})

it('rejects a call with both a query and a body', () => {
  const both: Call = {
    route: 'POST /x',
    for: 'anyone',
    does: '',
    query: z.object({}),
    body: z.object({}),
    reply: z.object({}),
  }
  expect(() => wireCall('x.both', both)).toThrow('x.both takes both')
})

it('writes a module that has every call of the contract', async () => {
  const source = `data:text/javascript,${encodeURIComponent(sourceOf(contract as unknown as Parameters<typeof sourceOf>[0]))}`
  const { calls } = (await import(/* @vite-ignore */ source)) as { calls: object }
  const expected = Object.entries(contract).map(([module, named]) => [
    module,
    Object.fromEntries(
      Object.entries(named).map(([name, call]) => [name, wireCall(`${module}.${name}`, call as Call)]),
    ),
  ])
  expect(calls).toEqual(Object.fromEntries(expected))
})
