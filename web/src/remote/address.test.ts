import { expect, test } from 'vitest'
import { readFragment, withoutTicket } from './address.ts'

// @covers R3.15
test('machine and ticket are read from the fragment, and the ticket leaves the address', () => {
  const asked = readFragment('#/?username=lab-1&password=a-b_c%3D')
  expect(asked).toEqual({ watches: false, machine: 'lab-1', ticket: 'a-b_c=' })
  expect(withoutTicket(asked)).toBe('#/?username=lab-1')
  expect(readFragment(withoutTicket(asked))).toEqual({ watches: false, machine: 'lab-1', ticket: null })
})

test.each(['', '#', '#/', '#/?', '#/?username=&password='])('%s names nothing', (fragment) => {
  expect(readFragment(fragment)).toEqual({ watches: false, machine: null, ticket: null })
  expect(withoutTicket(readFragment(fragment))).toBe('#/')
})

test('who watches a learner has an address of its own, with a ticket that leaves it too', () => {
  const asked = readFragment('#/?watch=lab-1&password=a-b')
  expect(asked).toEqual({ watches: true, machine: 'lab-1', ticket: 'a-b' })
  expect(withoutTicket(asked)).toBe('#/?watch=lab-1')
})
