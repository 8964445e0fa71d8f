import { expect, test } from 'vitest'
import { CHANGES_SHOWN } from '../contract/proof-words.ts'
import { listOf } from './proof-text.ts'

test('changes beyond those that are shown are named as more', () => {
  const changes = (count: number) => Array.from({ length: count }, (_, each) => `p${each}`)
  expect(listOf(changes(2))).toBe('p0, p1')
  expect(listOf(changes(CHANGES_SHOWN))).toMatch(/, p19$/)
  expect(listOf(changes(CHANGES_SHOWN + 1))).toMatch(/, p19, and more$/)
})
