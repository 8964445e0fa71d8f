import { expect, test } from 'vitest'
import { daysOf, isMoving, type LabUser, sought } from './lab-users.ts'

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

test('lab users are found by a part of the name or the address, whatever the case', () => {
  const users = [user('asha'), user('vikram')]
  expect(sought(users, ' ASH ')).toEqual([users[0]])
  expect(sought(users, 'labs.test')).toEqual(users)
  expect(sought(users, 'nobody')).toEqual([])
  expect(sought(users, ' ')).toEqual(users)
})

test('users who are being made or deleted are asked for again soon', () => {
  expect(isMoving([user('a'), user('b', 'Failing')])).toBe(false)
  expect(isMoving([user('a'), user('b', 'Ending')])).toBe(true)
  expect(isMoving([{ ...user('a'), sandbox: [{ status: 'Ready' }, { status: 'Deleting' }] }])).toBe(true)
  expect(isMoving([{ ...user('a'), sandbox: [{ status: 'Frozen' }] }])).toBe(false)
})

test.each([
  ['5', 5],
  [' 366 ', 366],
  ['0', null],
  ['367', null],
  ['1.5', null],
  ['-1', null],
  ['', null],
])('%o is %o days', (typed, days) => {
  expect(daysOf(typed, 366)).toBe(days)
})
