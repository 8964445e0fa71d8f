import { expect, test } from 'vitest'
import { csvOf } from '@trainyard/platform/contract/words/csv.ts'
import type { Outcome } from './create-all.ts'
import { type Plan, planOf } from './plan.ts'
import { readCsv } from './read-csv.ts'
import { refusedRows, reportOf } from './report.ts'

const entry = (line: number, username: string) => ({
  line,
  user: { username, personalEmail: `${username}@home.test`, duration: 5 },
})
const existing = (line: number, username: string) => ({
  ...entry(line, username),
  row: { line, username, personalEmail: '', duration: null, problem: null },
  reason: 'exists already',
})
const plan: Plan = {
  valid: [entry(2, 'asha'), entry(4, 'ravi'), entry(6, 'meera')],
  invalid: [],
  existing: [existing(3, 'old'), existing(5, 'other')],
  needsDays: true,
}
const outcomes = new Map<number, Outcome>([
  [2, { kind: 'created' }],
  [3, { kind: 'created' }],
  [4, { kind: 'failed', reason: 'No AWS account is available.' }],
  [5, { kind: 'existing', reason: 'There is already a user other.' }],
])

test('groups rows into created, created earlier, existing, failed and not processed', () => {
  const report = reportOf(plan, outcomes)
  expect([report.created, report.createdEarlier]).toEqual([2, 1])
  expect(report.existing.map(({ row }) => row.username)).toEqual(['other'])
  expect(report.failed).toMatchObject([{ row: { line: 4 }, reason: 'No AWS account is available.' }])
  expect(report.pending).toMatchObject([{ row: { line: 6, username: 'meera' }, reason: 'Not processed yet.' }])
})

test('writes a file that can be read again', () => {
  const reading = readCsv(csvOf(refusedRows(reportOf(plan, outcomes).failed)))
  const { valid } = planOf('rows' in reading ? reading.rows : [], 1, [])
  expect(valid).toEqual([{ ...entry(4, 'ravi'), line: 2 }])
})
