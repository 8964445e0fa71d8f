import { expect, test } from 'vitest'
import { readFragment, withoutTicket } from './address.ts'

test('machine and ticket are read from the fragment, and the ticket leaves the address', () => {
  const asked = readFragment('#/?username=lab-1&password=a-b_c%3D')
  expect(asked).toEqual({ machine: 'lab-1', ticket: 'a-b_c=' })
  expect(withoutTicket(asked)).toBe('#/?username=lab-1')
  expect(readFragment(withoutTicket(asked))).toEqual({ machine: 'lab-1', ticket: null })
})

test.each(['', '#', '#/', '#/?', '#/?username=&password='])('%s names nothing', (fragment) => {
  expect(readFragment(fragment)).toEqual({ machine: null, ticket: null })
  expect(withoutTicket(readFragment(fragment))).toBe('#/')
})
