import { expect, test } from 'vitest'
import { countOf, PORTAL, SECTIONS } from './cards.ts'

test('a missing count is 0', () => {
  const cards = [...PORTAL, ...SECTIONS.flatMap(({ cards }) => cards)]
  expect(cards.map((card) => countOf({}, card))).toEqual(cards.map(() => 0))
  expect(countOf({ users: 7 }, { counter: 'users' })).toBe(7)
})
