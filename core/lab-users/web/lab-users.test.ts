import { expect, test } from 'vitest'
import { daysOf, endingWithin, isChanging, type LabUser, filterUsers, sortUsers } from './lab-users.ts'

const user = (userId: string, status: LabUser['status'] = 'Ready'): LabUser => ({
  _id: userId,
  email: `${userId}@Labs.test`,
  userId,
  duration: 5,
  startDate: '2026-01-01T00:00:00Z',
  endDate: '2026-01-06T00:00:00Z',
  status,
  statusReason: null,
})

test('finds lab users by part of the name or address, ignoring case', () => {
  const users = [user('asha'), user('vikram')]
  expect(filterUsers(users, ' ASH ')).toEqual([users[0]])
  expect(filterUsers(users, 'labs.test')).toEqual(users)
  expect(filterUsers(users, 'nobody')).toEqual([])
  expect(filterUsers(users, ' ')).toEqual(users)
})

test('sorts lab users, and finds those that end soon', () => {
  const early = { ...user('b'), startDate: '2025-12-30T00:00:00Z', endDate: '2026-01-04T00:00:00Z' }
  const late = user('a')
  const users = [early, late]
  expect(sortUsers(users, 'name')).toEqual([late, early])
  expect(sortUsers(users, 'end')).toEqual([early, late])
  expect(sortUsers(users, 'start')).toEqual([late, early])
  const now = new Date('2026-01-03T00:00:00Z')
  expect(endingWithin(users, 1, now)).toEqual([early])
  expect(endingWithin(users, 3, now)).toEqual(users)
  expect(endingWithin(users, null, now)).toEqual(users)
})

test('polls faster while users or sandboxes are being created or deleted', () => {
  expect(isChanging([user('a'), user('b', 'Failing')])).toBe(false)
  expect(isChanging([user('a'), user('b', 'Ending')])).toBe(true)
  expect(isChanging([{ ...user('a'), sandbox: [{ status: 'Ready' }, { status: 'Deleting' }] }])).toBe(true)
  expect(isChanging([{ ...user('a'), sandbox: [{ status: 'Frozen' }] }])).toBe(false)
})

test.each([
  ['5', 5],
  [' 366 ', 366],
  ['0', null],
  ['367', null],
  ['1.5', null],
  ['-1', null],
  ['', null],
])('parses %o as %o days', (entered, days) => {
  expect(daysOf(entered, 366)).toBe(days)
})
