import { expect, test } from 'vitest'
import { spokenName } from './spoken-name.ts'

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
