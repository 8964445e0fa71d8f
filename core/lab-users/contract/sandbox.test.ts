import { expect, test } from 'vitest'
import { sandboxCreditsLeft, groupNameOf, isSandboxName, canCreateSandbox } from './sandbox-words.ts'

test('the resource group name starts with the user ID up to the first hyphen', () => {
  expect(groupNameOf('0f3c9a1e-7b2d-4c55-8e6f-000000000001', 'web')).toBe('0f3c9a1e-web-sandbox')
  expect(groupNameOf('asha', 'a-b')).toBe('asha-a-b-sandbox')
})

test.each([
  ['', false],
  ['a', true],
  ['abcde', true],
  ['abcdef', false],
])('name %o: valid is %o', (name, fits) => {
  expect(isSandboxName(name)).toBe(fits)
})

test('remaining credits are exact to the paisa', () => {
  expect(sandboxCreditsLeft({ total: 1_000, consumed: 214.45 })).toBe(785.55)
  expect(sandboxCreditsLeft({ total: 0.3, consumed: 0.1 })).toBe(0.2)
})

test('a sandbox can be created while at least one paisa is left', () => {
  const may = (consumed: number) => canCreateSandbox({ credits: { total: 1_000, consumed }, live: 50, limit: null })
  expect(may(999.99)).toBe(true)
  expect(may(1_000)).toBe('No credits are left.')
  expect(may(1_000.01)).toBe('No credits are left.')
})

test('without a limit of the operator, one user cannot take all resource groups of the subscription', () => {
  const may = (live: number) => canCreateSandbox({ credits: { total: 1_000, consumed: 0 }, live, limit: null })
  expect(may(99)).toBe(true)
  expect(may(100)).toContain('100 sandboxes at a time.')
})

test('the operator’s limit is stated in the reason', () => {
  const may = (live: number, limit: number) => canCreateSandbox({ credits: { total: 1_000, consumed: 0 }, live, limit })
  expect(may(2, 3)).toBe(true)
  expect(may(3, 3)).toMatch(/^3 sandboxes at a time. Delete one first\./)
  expect(may(4, 1)).toMatch(/^One sandbox at a time. Delete one first\./)
})
