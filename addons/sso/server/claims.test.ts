import { expect, test } from 'vitest'
import { textIn, textsIn, truthIn, wordsIn } from './claims.ts'

const claims = (value: unknown) => ({
  iss: 'https://id.test',
  sub: 'subject',
  ...(value !== undefined && { it: value }),
})

test.each([
  [undefined, undefined],
  [true, true],
  ['true', true],
  [' True ', true],
  [1, true],
  ['1', true],
  [false, false],
  ['false', false],
  [0, false],
  ['0', false],
  ['', null],
  ['yes', null],
  ['truetrue', null],
  [2, null],
  [null, null],
  [[true], null],
  [['true'], null],
  [{ true: true }, null],
])('reads the truth value of %j as %j', (value, truth) => {
  expect(truthIn(claims(value), 'it')).toBe(truth)
})

test.each([
  [undefined, null],
  ['a@b.test', 'a@b.test'],
  [' a@b.test ', 'a@b.test'],
  [['a@b.test'], 'a@b.test'],
  [['a@b.test', 'c@b.test'], null],
  [[], null],
  [7, null],
  [{ value: 'a@b.test' }, null],
])('reads the text of %j as %j', (value, text) => {
  expect(textIn(claims(value), 'it')).toBe(text)
})

test.each([
  [undefined, []],
  [null, []],
  ['staff', ['staff']],
  ['two words', ['two words']],
  [
    ['staff', 7, ['leads'], null, 'two words'],
    ['staff', 'two words'],
  ],
  ['["staff","two words",7]', ['staff', 'two words']],
  ['["staff"', ['["staff"']],
  ['[staff, leads]', ['[staff, leads]']],
  [{ staff: true }, []],
])('reads the texts of %j as %j', (value, texts) => {
  expect(textsIn(claims(value), 'it')).toEqual(texts)
})

test.each([
  [undefined, []],
  ['mfa', ['mfa']],
  ['pwd mfa', ['pwd', 'mfa']],
  ['pwd,mfa', ['pwd', 'mfa']],
  ['["pwd", "mfa"]', ['pwd', 'mfa']],
  ['no-mfa', ['no-mfa']],
  [
    ['pwd', 'mfa'],
    ['pwd', 'mfa'],
  ],
  // An element of a list is one value, which is compared as a whole (RFC 8176).
  [['pwd mfa'], ['pwd mfa']],
  [[['mfa']], []],
  [{ mfa: true }, []],
])('reads the words of %j as %j', (value, words) => {
  expect(wordsIn(claims(value), 'it')).toEqual(words)
})
