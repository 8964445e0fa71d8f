import { expect, test } from 'vitest'
import type { LabUser } from '../lab-users.ts'
import { planOf } from './plan.ts'
import { readCsv } from './read-csv.ts'

const labUser = (email: string, status: LabUser['status'] = 'Ready'): LabUser => ({
  _id: email,
  email,
  userId: email,
  duration: 5,
  startDate: '2026-01-01T00:00:00Z',
  endDate: '2026-01-06T00:00:00Z',
  status,
  statusReason: null,
})

const planned = (text: string, users: readonly LabUser[] = []) => {
  const reading = readCsv(text)
  if ('problem' in reading) throw new Error(reading.problem)
  return planOf(reading.rows, 5, users)
}

test('uses the duration of the row, or the duration of the form if the row has none', () => {
  const { valid, needsDays } = planned('username,personalEmail,duration\nasha,Asha@Home.test,9\nravi,r@home.test,')
  expect(valid).toEqual([
    { line: 2, user: { username: 'asha', personalEmail: 'asha@home.test', duration: 9 } },
    { line: 3, user: { username: 'ravi', personalEmail: 'r@home.test', duration: 5 } },
  ])
  expect(needsDays).toBe(true)
  expect(planned('username,personalEmail,duration\nasha,asha@home.test,9').needsDays).toBe(false)
})

test.each([
  [',nobody@home.test', 'The username is missing.'],
  ['ravi,', 'The personal email is missing.'],
  ['two words,a@home.test', 'The username may contain only letters, digits, dots, underscores and hyphens.'],
  ['raví,a@home.test', /^The username may contain only/],
  ['ravi.,a@home.test', 'The username must begin and end with a letter or a digit.'],
  [`${'r'.repeat(65)},a@home.test`, 'The username is longer than 64 characters.'],
  ['ravi,nowhere', 'The personal email is not a valid e-mail address.'],
  ['ravi,a@home.test,0', 'The duration is not a whole number from 1 to 366.'],
  ['ravi,a@home.test,a week', 'The duration is not a whole number from 1 to 366.'],
  ['ASHA,a@home.test', 'The username is already used in line 2.'],
  ['gone,a@home.test', 'The user gone@labs.test is still being deleted. Please try again in a few minutes.'],
])('skips the row %j with a reason', (row, reason) => {
  const { valid, invalid } = planned(`username,personalEmail,duration\nasha,asha@home.test\n${row}`, [
    labUser('gone@labs.test', 'Ending'),
  ])
  expect(valid.map(({ line }) => line)).toEqual([2])
  expect(invalid.map(({ row }) => row.line)).toEqual([3])
  expect(invalid[0]!.reason).toMatch(reason)
})

test('lists existing users separately', () => {
  const { valid, invalid, existing } = planned('username,personalEmail\nAsha,asha@home.test\nravi,ravi@home.test', [
    labUser('asha@labs.test'),
  ])
  expect([valid.length, invalid.length]).toEqual([1, 0])
  expect(existing).toMatchObject([{ line: 2, reason: 'The user asha@labs.test already exists.' }])
})

test('lists the thirty invalid rows of a thousand, each with its line', () => {
  const invalid = ['two words,x@home.test', 'ok,nowhere', 'first,first@home.test', ',x@home.test', 'ok,']
  const rows = Array.from({ length: 1_000 }, (_, row) =>
    row === 0
      ? 'first,first@home.test'
      : row % 33 === 32
        ? invalid[row % invalid.length]!
        : `user-${row},user-${row}@home.test`,
  )
  const plan = planned(`username,personalEmail\r\n${rows.join('\r\n')}\r\n`)
  expect([plan.valid.length, plan.invalid.length]).toEqual([970, 30])
  expect(plan.invalid.map(({ row }) => row.line)).toEqual(Array.from({ length: 30 }, (_, index) => index * 33 + 34))
})
