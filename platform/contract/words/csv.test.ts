import { expect, test } from 'vitest'
import { csvLine, csvOf } from './csv.ts'

test.each([
  '=1+1',
  '+cmd',
  '-2+3',
  '@SUM(A1)',
  '\tx',
  '\t=1+1',
  '\n=1+1',
  '\r=1+1',
  '=1+1\nand more',
  '\uFF1D1+1',
  '\uFF0B1',
  '\uFF0D1+1',
  '\uFF20SUM(A1)',
  '\uFE661+1',
  '\u200B=1+1',
  '\u202A=1+1',
  ' =1+1',
  '\u00A0=1+1',
])('writes the formula %j as text', (text) => {
  expect(csvLine([text])).toBe(`"'${text}"\r\n`)
})

test('quotes a value with a semicolon, which separates columns where the comma is the decimal sign', () => {
  expect(csvLine(['a;b', 'c;=1+1', 'd'])).toBe('"a;b","c;\'=1+1",d\r\n')
  expect(csvLine(['a\t@b', 'c,\uFF0Dd', 'two\n+lines'])).toBe('"a\t\'@b","c,\uFF0Dd","two\n\'+lines"\r\n')
})

test('keeps numbers as numbers, including negative ones and numbers as text', () => {
  expect(csvLine([-2.5, 0, null, '-7', '12.50'])).toBe('-2.5,0,,-7,12.50\r\n')
})

test('keeps text with signs inside, and dates and addresses', () => {
  const plain = ['a-b', 'x = y', 'asha@acme.test', '2026-01-31', 'C++', 'ₐ', '−5']
  expect(csvLine(plain)).toBe(`${plain.join(',')}\r\n`)
})

test('quotes commas, quotes, line breaks and spaces at the ends', () => {
  expect(
    csvOf([
      ['a,b', 'say "x"'],
      ['two\nlines', ' x '],
    ]),
  ).toBe('"a,b","say ""x"""\r\n"two\nlines"," x "\r\n')
})
