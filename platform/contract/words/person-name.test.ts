import { expect, test } from 'vitest'
import { givenNameFirst } from './person-name.ts'

test.each([
  ['Rao, Asha', 'Asha Rao'],
  ['Rao, Asha (EXT)', 'Asha Rao (EXT)'],
  ['K, Bala', 'Bala K'],
  ['de la Cruz,María José', 'María José de la Cruz'],
  ['Asha Rao', 'Asha Rao'],
  ['Martin King, Jr.', 'Martin King, Jr.'],
  ['Rao, Asha, Lab 2', 'Rao, Asha, Lab 2'],
  ['asha@acme.test', 'asha@acme.test'],
])('writes %s as %s', (name, shown) => {
  expect(givenNameFirst(name)).toBe(shown)
})
