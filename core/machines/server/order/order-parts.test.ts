import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makePassword } from '../credentials.ts'
import { machineName } from './names.ts'

test.each([
  ['Linux 101', 36, 'linux-10-10'],
  ['  Élan vital ', 1, 'elan-vit-1'],
  ['日本語', 7, 'vm-7'],
  ['a b', 1, 'a-b-1'],
  ['1234567 x', 1, '1234567-1'],
])('derives the name of a machine of %j with number %i: %s', (training, number, name) => {
  expect(machineName(training, number)).toBe(name)
})

test('names are valid for Windows machines and unique per number', () => {
  fc.assert(
    fc.property(fc.string(), fc.integer({ min: 1, max: 2_000_000_000 }), (training, number) => {
      const name = machineName(training, number)
      expect(name).toMatch(/^[a-z0-9](?:[a-z0-9-]*[a-z0-9])$/)
      expect(name.length).toBeLessThanOrEqual(15)
      expect(name.endsWith(`-${number.toString(36)}`)).toBe(true)
    }),
  )
})

test("passwords meet Azure's rules and are unique", () => {
  const passwords = Array.from({ length: 500 }, makePassword)
  expect(new Set(passwords).size).toBe(500)
  for (const password of passwords) {
    for (const kind of [/[a-z]/, /[A-Z]/, /[0-9]/, /[^a-zA-Z0-9]/, /^\S{18}$/]) expect(password).toMatch(kind)
  }
})
