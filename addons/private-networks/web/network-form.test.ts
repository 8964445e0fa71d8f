import { expect, test } from 'vitest'
import { rangesIn } from './network-form.ts'

test.each([
  ['10.20.0.0/16', ['10.20.0.0/16']],
  [' 10.20.0.0/16,\n192.168.0.0/24 ', ['10.20.0.0/16', '192.168.0.0/24']],
])('reads %j', (entered, ranges) => {
  expect(rangesIn(entered)).toEqual({ ranges })
})

test.each([
  ['', 'Enter at least one'],
  ['10.20.0.1/16', '10.20.0.1/16 is not'],
  ['8.8.8.0/24', '8.8.8.0/24 is not'],
  [Array.from({ length: 33 }, (_, i) => `10.${i}.0.0/16`).join(' '), 'at most 32'],
])('explains what is wrong with %j', (entered, problem) => {
  expect(rangesIn(entered)).toEqual({ problem: expect.stringContaining(problem) })
})
