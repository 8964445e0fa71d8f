import { expect, test } from 'vitest'
import { decodeAddress, isMailedToken, readMailedToken } from './mailed-link.ts'

const CODE = 'Ab3-_'.repeat(9).slice(0, 43)
const TOKEN = `0b6a6c9e-1f0e-4c5d-9a55-3f6d2b7c8e90.${CODE}`

test.each([
  ['as sent', `#token=${TOKEN}`],
  ['of a registration', `#confirm=${TOKEN}`],
  ['with a full stop', `#token=${TOKEN}.`],
  ['with a closing bracket and a comma', `#token=${TOKEN}),`],
  ['with a closing angle bracket', `#token=${TOKEN}%3E`],
  ['with quotes', `#token=%22${TOKEN}%22`],
  ['with an encoded equals sign', `#token%3D${TOKEN}`],
  ['with a trailing space', `#token=${TOKEN}%20`],
  ['with a tracking parameter', `#token=${TOKEN}&utm_source=mail`],
  ['broken into two lines', `#token=${TOKEN.slice(0, 50)}%0D%0A ${TOKEN.slice(50)}`],
  ['with a zero-width space', `#token=${TOKEN.slice(0, 50)}%E2%80%8B${TOKEN.slice(50)}`],
  ['with a damaged encoding', `#token=${TOKEN}%`],
])('reads the token of a link %s', (_kind, fragment) => {
  expect(readMailedToken(fragment)).toBe(TOKEN)
})

test.each([
  '',
  '#',
  '#token=',
  '#token',
  `#token=${TOKEN.slice(0, 36)}`,
  `#token=${TOKEN.slice(0, -1)}`,
  `#${CODE}`,
  '#%',
])('reports %j as incomplete', (fragment) => {
  expect(readMailedToken(fragment)).toBeNull()
})

test('accepts only a whole token', () => {
  expect([TOKEN, `${TOKEN}.`, TOKEN.slice(0, -1), ''].map(isMailedToken)).toEqual([true, false, false, false])
})

test('decodes an address, and leaves a damaged encoding as it is', () => {
  expect([decodeAddress('a%20b'), decodeAddress('50%')]).toEqual(['a b', '50%'])
})
