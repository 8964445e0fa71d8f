import { expect, test } from 'vitest'
import { csvOf } from '#src/ui/csv.ts'
import type { Outcome } from './create-all.ts'
import { type Plan, planOf } from './plan.ts'
import { readCsv } from './read-csv.ts'
import { refusedRows, reportOf } from './report.ts'

const entry = (line: number, username: string) => ({
  line,
  user: { username, personalEmail: `${username}@home.test`, duration: 5 },
})
const there = (line: number, username: string) => ({
  ...entry(line, username),
  row: { line, username, personalEmail: '', duration: null, problem: null },
  reason: 'exists already',
})
const plan: Plan = {
  good: [entry(2, 'asha'), entry(4, 'ravi'), entry(6, 'meera')],
  bad: [],
  there: [there(3, 'old'), there(5, 'other')],
  needsDays: true,
}
const outcomes = new Map<number, Outcome>([
  [2, { kind: 'made' }],
  [3, { kind: 'made' }],
  [4, { kind: 'failed', reason: 'No AWS account is free.' }],
  [5, { kind: 'there', reason: 'There is already a user other.' }],
])

test('the report lists users made, by an earlier run too, users there before, failures and the rest', () => {
  const report = reportOf(plan, outcomes)
  expect([report.made, report.madeBefore]).toEqual([2, 1])
  expect(report.there.map(({ row }) => row.username)).toEqual(['other'])
  expect(report.failed).toMatchObject([{ row: { line: 4 }, reason: 'No AWS account is free.' }])
  expect(report.undone).toMatchObject([{ row: { line: 6, username: 'meera' }, reason: 'Not done yet.' }])
})

test('the report is a file that can be chosen again', () => {
  const reading = readCsv(csvOf(refusedRows(reportOf(plan, outcomes).failed)))
  const { good } = planOf('rows' in reading ? reading.rows : [], 1, [])
  expect(good).toEqual([{ ...entry(4, 'ravi'), line: 2 }])
})
