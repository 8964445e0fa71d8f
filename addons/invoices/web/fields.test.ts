import { expect, test } from 'vitest'
import { BANK, ISSUING_FIELDS, SERIES, SUPPLIER } from './fields.ts'

test.each([
  ['a month as the browser sends it', ISSUING_FIELDS.firstMonth, '2026-11'],
  ['a GST number with blanks', SUPPLIER.gstin, '29 aafcc9980m 1zr'],
  ['a CIN with hyphens', SUPPLIER.cin, 'u72200-ka2013-ptc097389'],
  ['an IFSC in small letters', BANK.ifsc, 'hdfc0000123'],
  ['a prefix', SERIES.invoicePrefix, 'inv'],
])('accepts %s', (_, field, entered) => {
  expect(field.problem(entered)).toBeNull()
})

test('rejects a month that does not exist', () => {
  expect(ISSUING_FIELDS.firstMonth.problem('2026-13')).toBe('Enter a month such as 2026-01.')
})
