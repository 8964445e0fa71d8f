import { expect, test } from 'vitest'
import { readSources, sourcesProblem } from './sources-form.ts'

test.each([
  ['', null, null],
  ['203.0.113.0/24', ['203.0.113.0/24'], null],
  [' 203.0.113.0/24,198.51.100.7/32 ', ['203.0.113.0/24', '198.51.100.7/32'], null],
  ['203.0.113.7', ['203.0.113.7'], '203.0.113.7 is not an address range such as 203.0.113.0/24.'],
])('reads %j', (entered, sources, problem) => {
  expect([readSources(entered), sourcesProblem(entered)]).toEqual([sources, problem])
})

test('limits the number of address ranges', () => {
  expect(sourcesProblem('10.0.0.0/8 '.repeat(33))).toBe('Enter at most 32 address ranges.')
})
