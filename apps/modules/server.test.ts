import { expect, test } from 'vitest'
import { contract } from '@trainyard/contract/contract.ts'
import { SERVER_MODULES } from './server.ts'

/** Parts of which the handlers are only built, not run. */
const absent: object = new Proxy({}, { get: () => absent })
const parts = new Proxy(
  { publicUrl: 'https://portal.test' },
  { get: (known: object, name) => Reflect.get(known, name) ?? absent },
) as never

test('each module has a name of its own and requires only modules before it', () => {
  const names = SERVER_MODULES.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  const notBefore = SERVER_MODULES.flatMap(({ name, requires = [] }, index) =>
    requires.filter((required) => !names.slice(0, index).includes(required)).map((required) => `${name}: ${required}`),
  )
  expect(notBefore).toEqual([])
})

test('each call of the contract has exactly one handler', () => {
  const handled = SERVER_MODULES.flatMap(({ calls }) =>
    Object.entries(calls?.(parts) ?? {}).flatMap(([group, some]) =>
      Object.keys(some).map((name) => `${group}.${name}`),
    ),
  )
  const calls = Object.entries(contract).flatMap(([group, some]) => Object.keys(some).map((name) => `${group}.${name}`))
  expect(handled.toSorted()).toEqual(calls.toSorted())
})
