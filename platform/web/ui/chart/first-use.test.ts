import { expect, test } from 'vitest'
import { sinceFirstUse } from './first-use.ts'

const daysWith = (...used: number[]) => Array.from({ length: 30 }, (_, day) => (used.includes(day) ? 1 : 0))
const shown = (...used: number[]) => sinceFirstUse(daysWith(...used), (hours) => hours > 0)?.length

test('starts with the first use, and returns at least a week', () => {
  expect(shown(0)).toBe(30)
  expect(shown(10, 20)).toBe(20)
  expect(shown(29)).toBe(7)
  expect(shown()).toBe(7)
  expect(sinceFirstUse(undefined, () => true)).toBeUndefined()
})
