import { expect, it } from 'vitest'
import { csvOf } from './csv.ts'

it.each(['=1+1', '+cmd', '-2+3', '@SUM(A1)', '\tx', '=1+1\nand more'])(
  'escapes the formula %j with an apostrophe',
  (text) => {
    expect(csvOf([[text]])).toBe(`"'${text}"\r\n`)
  },
)

it('keeps numbers as numbers, including negative ones', () => {
  expect(csvOf([[-2.5, 0, null]])).toBe('-2.5,0,\r\n')
})

it('quotes commas, quotes and line breaks, also after the apostrophe', () => {
  expect(csvOf([['a,b', 'say "x"', '=A1,B1', 'two\nlines']])).toBe('"a,b","say ""x""","\'=A1,B1","two\nlines"\r\n')
})
