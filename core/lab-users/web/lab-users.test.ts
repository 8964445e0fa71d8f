import { expect, test } from 'vitest'
import { daysOf, isChanging, type LabUser, filterUsers } from './lab-users.ts'

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
