import { expect, test } from 'vitest'
import { isPhone, normalisePhone } from './phone.ts'
import { growthOfTime, LINEAR } from '../test-growth.ts'

test.each([
  ['+91 98450 12345', '+91 98450 12345'],
  ['(080) 4123-4567', '(080) 4123-4567'],
  ['९८४५० १२३४५', '98450 12345'],
  ['+९१ ९८४५०-१२३४५', '+91 98450-12345'],
  ['৯৮৪৫০ ১২৩৪৫', '98450 12345'],
  ['௯௮௪௫௦', '98450'],
  ['٠٨٠ ۴۱۲۳', '080 4123'],
  ['+91 80 4123 4567 ext. 12', '+91 80 4123 4567 ext. 12'],
  ['080 41234567 x12', '080 41234567 x12'],
  ['080 41234567 Extn 12', '080 41234567 Extn 12'],
  ['080 41234567, extension 1234', '080 41234567, extension 1234'],
  ['080-41234567;ext=12', '080-41234567;ext=12'],
  ['080 41234567 #12', '080 41234567 #12'],
  ['०८० ४१२३४५६७ ext १२', '080 41234567 ext 12'],
  ['\u202A+91 98450\u201112345\u202C', '+91 98450-12345'],
  ['+91\u00A098450\u200B 12345', '+91 98450 12345'],
  ['＋９１（８０）４１２３', '+91(80)4123'],
])('accepts the phone number %s', (entered, stored) => {
  expect(normalisePhone(entered)).toBe(stored)
  expect(isPhone(stored)).toBe(true)
})

test.each([
  '',
  '+',
  '( )',
  'call me',
  'ext 12',
  '12 ext',
  '12 ext 12 ext 13',
  '12 ext 123456789',
  '1<b>',
  '=1+1',
  '1'.repeat(41),
])('rejects %j', (entered) => {
  expect(isPhone(normalisePhone(entered))).toBe(false)
})

test('rejects a very long text in linear time', () => {
  const isAccepted = (size: number) => isPhone(`1${' '.repeat(size)}x`)
  expect(isAccepted(500_000)).toBe(false)
  expect(growthOfTime(isAccepted, 40_000)).toBeLessThan(LINEAR)
})
