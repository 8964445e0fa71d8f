import { expect, test } from 'vitest'
import { readFragment, withoutTicket } from './address.ts'

test('reads machine and ticket from the fragment, and removes the ticket', () => {
  const address = readFragment('#/?username=lab-1&password=a-b_c%3D')
  expect(address).toEqual({ watches: false, machine: 'lab-1', ticket: 'a-b_c=' })
  expect(withoutTicket(address)).toBe('#/?username=lab-1')
  expect(readFragment(withoutTicket(address))).toEqual({ watches: false, machine: 'lab-1', ticket: null })
})

test.each(['', '#', '#/', '#/?', '#/?username=&password='])('reads no machine from %s', (fragment) => {
  expect(readFragment(fragment)).toEqual({ watches: false, machine: null, ticket: null })
  expect(withoutTicket(readFragment(fragment))).toBe('#/')
})

test("reads a watcher's fragment, and removes its ticket too", () => {
  const address = readFragment('#/?watch=lab-1&password=a-b')
  expect(address).toEqual({ watches: true, machine: 'lab-1', ticket: 'a-b' })
  expect(withoutTicket(address)).toBe('#/?watch=lab-1')
})
