import { expect, test } from 'vitest'
import { groupNameOf, isSandboxName } from './sandbox.ts'

test("a sandbox's group begins with what stands in its user's id before the first hyphen", () => {
  expect(groupNameOf('0f3c9a1e-7b2d-4c55-8e6f-000000000001', 'web')).toBe('0f3c9a1e-web-sandbox')
  expect(groupNameOf('asha', 'a-b')).toBe('asha-a-b-sandbox')
})

test.each([
  ['', false],
  ['a', true],
  ['abcde', true],
  ['abcdef', false],
])('%o as a name: %o', (name, fits) => {
  expect(isSandboxName(name)).toBe(fits)
})
