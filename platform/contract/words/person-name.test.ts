import { expect, test } from 'vitest'
import { givenNameFirst, searchedName, spokenName } from './person-name.ts'

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

test('searches a name as stored and as shown', () => {
  expect(searchedName('Rao, Asha')).toBe('Rao, Asha Asha Rao')
  expect(searchedName(null)).toBeNull()
})

test.each([
  ['Rao, Asha (EXT)', 'Asha Rao'],
  ['Rao,Asha', 'Asha Rao'],
  ['Asha Rao (EXT)', 'Asha Rao'],
  ['Asha Rao', 'Asha Rao'],
  ['Asha Rao, PhD', 'Asha Rao, PhD'],
  ['Rao, Asha, PhD', 'Rao, Asha, PhD'],
  ['(EXT)', '(EXT)'],
])('addresses %o as %o', (name, spoken) => {
  expect(spokenName(name)).toBe(spoken)
})
