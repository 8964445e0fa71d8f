import { expect, test } from 'vitest'
import { hasSeriesForm } from './tax-document.ts'

test.each([
  ['INV/26-27/00007', true],
  ['inv/26-27/00007', true],
  ['ＩＮＶ／26-27／00007', true],
  ['INV/26-27/0\u200B0007', true],
  ['INV∕26-27∕00007', true],
  ['INV / 26-27 / 00007', true],
  ['A1B2/99-00/99999', true],
  ['BILL-7', false],
  ['INV/26-27/7', false],
  ['LONGER/26-27/00007', false],
  ['paid INV/26-27/00007', false],
])('%j has the form of a series: %s', (number, expected) => expect(hasSeriesForm(number)).toBe(expected))
