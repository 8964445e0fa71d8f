import { expect, test } from 'vitest'
import { ALERTS } from '@trainyard/platform/contract/words/problems.ts'
import { type CsvRow, readCsv } from './read-csv.ts'

const rowsOf = (text: string): readonly CsvRow[] => {
  const reading = readCsv(text)
  if ('problem' in reading) throw new Error(reading.problem)
  return reading.rows
}
const row = (line: number, username: string, personalEmail: string, duration: string | null = null) => ({
  line,
  username,
  personalEmail,
  duration,
  problem: null,
})
const ASHA = row(2, 'asha', 'asha@home.test')

test.each([
  ['line feeds', 'username,personalEmail\nasha,asha@home.test\n'],
  ['returns and line feeds, and no end', 'username,personalEmail\r\nasha,asha@home.test'],
  ['returns alone', 'username,personalEmail\rasha,asha@home.test\r'],
  ['a byte order mark', '\uFEFFusername,personalEmail\nasha,asha@home.test\n'],
  ['semicolons, as some spreadsheets write', 'username;personalEmail\nasha;asha@home.test\n'],
  ['tabs', 'username\tpersonalEmail\nasha\tasha@home.test\n'],
  ['quotes', '"username","personalEmail"\n"asha","asha@home.test"\n'],
  [
    'spaces around, another case and more columns',
    ' USERNAME , PersonalEmail ,Name\n asha , asha@home.test ,"Rao, Asha"',
  ],
  ['empty lines and lines of nothing but commas', 'username,personalEmail\nasha,asha@home.test\n\n,,\n'],
])('reads a file with %s', (_, text) => {
  expect(rowsOf(text)).toEqual([ASHA])
})

test.each([
  ['another order', 'Personal Email,Note,Username\nasha@home.test,x,asha', ['Note']],
  ['sep=;', 'sep=;\nusername;personalEmail\nasha;asha@home.test', []],
  ['mixed line ends', 'username,personalEmail\r\nasha,asha@home.test\nravi,ravi@home.test', []],
  ['a title', 'Batch 12\nusername,personalEmail\nasha,asha@home.test', []],
])('finds the columns of a file with %s', (_, text, unusedColumns) => {
  const reading = readCsv(text)
  expect(reading).toMatchObject({ unusedColumns })
  expect(rowsOf(text)).toContainEqual(expect.objectContaining({ username: 'asha', personalEmail: 'asha@home.test' }))
})

test('counts lines as an editor does, also after a multi-line cell', () => {
  const text = 'username,personalEmail,note\r\nasha,asha@home.test,"one\r\ntwo"\r\n\r\nravi,ravi@home.test,\r\n'
  expect(rowsOf(text)).toEqual([ASHA, row(5, 'ravi', 'ravi@home.test')])
})

test('reads the third column as duration if its heading says so', () => {
  const body = 'asha,asha@home.test,7\nravi,ravi@home.test,'
  expect(rowsOf(`username,personalEmail,Duration (days)\n${body}`)).toEqual([
    row(2, 'asha', 'asha@home.test', '7'),
    row(3, 'ravi', 'ravi@home.test'),
  ])
  expect(rowsOf(`username,personalEmail,seat\n${body}`)[0]).toEqual(ASHA)
})

test.each([[''], ['username,personalEmail'], ['username,personalEmail\n\n , \n'], ['asha,asha@home.test']])(
  'rejects a file without users, %j',
  (text) => {
    expect(readCsv(text)).toEqual({ problem: ALERTS.csvEmpty })
  },
)

test.each([
  ['username\nasha'],
  ['username,personalEmail\nasha,\n,ravi@home.test'],
  ['PK\u0003\u0004 a spreadsheet\nx'],
])('rejects a file in which no row has both columns, %j', (text) => {
  expect(readCsv(text)).toEqual({ problem: ALERTS.csvInvalid })
})

test('reports a user in the header line', () => {
  const [first, second] = rowsOf('asha,asha@home.test\nravi,ravi@home.test')
  expect(first).toMatchObject({ line: 1, username: 'asha', problem: expect.stringContaining('header') })
  expect(second).toEqual(row(2, 'ravi', 'ravi@home.test'))
})

test('reports an unclosed quotation mark', () => {
  const rows = rowsOf('username,personalEmail\nasha,asha@home.test\nravi,"ravi@home.test\n')
  expect(rows).toEqual([ASHA, expect.objectContaining({ line: 3, problem: expect.stringContaining('quotation mark') })])
})

test('rejects too many rows', () => {
  const text = `username,personalEmail\n${'a,a@home.test\n'.repeat(5_001)}`
  expect(readCsv(text)).toEqual({ problem: 'The file has more than 5000 users. Please split it.' })
})
