import { expect, test } from 'vitest'
import { oneLine, retryAfterIn } from './errors.ts'

test.each([
  ['One\n  two\t three ', 'One two three'],
  ["'/subscriptions/s/resourceGroups/g/providers/P/t/last' is there", "'last' is there"],
  ['x'.repeat(300), 'x'.repeat(300)],
  ['x'.repeat(301), `${'x'.repeat(299)}…`],
])('limits provider messages to one line: %j', (message, line) => {
  expect(oneLine(message)).toBe(line)
})

test.each([
  [undefined, null],
  [null, null],
  ['7', 7],
  [' 7 ', 7],
  ['soon', null],
  [new Date(Date.now() - 60_000).toUTCString(), 0],
])('reads a Retry-After of %j as %j seconds', (header, seconds) => {
  expect(retryAfterIn(header)).toBe(seconds)
})
