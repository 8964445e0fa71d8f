import { expect, test } from 'vitest'
import { checkStateOf, decoyScript, messageOf } from './outcome.ts'

test.each([
  [0, '', 'green'],
  [1, '', 'red'],
  [1, 'grep: x: No such file or directory', 'red'],
  [1, '/bin/bash: line 2: jq: command not found', 'broken'],
  [1, 'sh: 2: jq: not found', 'broken'],
  [1, 'sudo: 3 incorrect password attempts', 'broken'],
  [1, 'sudo: a password is required', 'broken'],
  [1, 'learner is not in the sudoers file.', 'broken'],
  [1, 'Sorry, user learner may not run sudo on desk.', 'broken'],
  [2, '', 'broken'],
  [124, '', 'broken'],
  [127, '', 'broken'],
  [null, '', 'broken'],
] as const)('exit status %j with %j is %s', (status, errorOutput, state) => {
  expect(checkStateOf({ status, errorOutput })).toBe(state)
})

test('an imported check is red by every status up to 123', () => {
  expect([1, 2, 123].map((status) => checkStateOf({ status, errorOutput: '' }, 'loose'))).toEqual(['red', 'red', 'red'])
  expect([124, 137].map((status) => checkStateOf({ status, errorOutput: '' }, 'loose'))).toEqual(['broken', 'broken'])
})

test('a message that is cut within a character can be stored', () => {
  const output = `${'x'.repeat(299)}\u{1F600}`
  expect(messageOf({ status: 1, output, errorOutput: '', milliseconds: 1 })).toBe(`${'x'.repeat(299)}\uFFFD`)
})

test('each decoy looks for another file', () => {
  expect(decoyScript()).not.toBe(decoyScript())
})
