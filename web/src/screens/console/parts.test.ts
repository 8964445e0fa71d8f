import { expect, test } from 'vitest'
import { partsOf } from './parts.ts'

test('a long list goes out in parts, nothing twice and nothing left out', () => {
  const list = Array.from({ length: 2500 }, (_, index) => index)
  const parts = partsOf(list, 1000)
  expect(parts.map((part) => part.length)).toEqual([1000, 1000, 500])
  expect(parts.flat()).toEqual(list)
  expect(partsOf([], 1000)).toEqual([])
})
