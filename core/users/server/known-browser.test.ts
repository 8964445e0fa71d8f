import { afterEach, expect, test, vi } from 'vitest'
import { BROWSER_SECONDS } from '@trainyard/platform/server/core/tokens.ts'
import { makeSeal } from '@trainyard/platform/server/run/secrets/seal.ts'
import { isForPassword, findBrowserToken, rememberBrowser } from './known-browser.ts'

const seal = makeSeal([{ id: 'test', bytes: Buffer.alloc(32, 1) }])
const remember = (cookie: string | undefined, email: string) =>
  rememberBrowser(seal, cookie, { email, passwordHash: 'hash' })
afterEach(() => {
  vi.useRealTimers()
})

test('remembers the last five users of a shared browser', () => {
  const people = ['a', 'b', 'c', 'd', 'e', 'f'].map((each) => `${each}@acme.test`)
  const cookie = people.reduce((before, email) => remember(before, email), '')
  expect(people.filter((email) => findBrowserToken(seal, cookie, email) !== null)).toEqual(people.slice(1))
  expect(findBrowserToken(seal, cookie, 'stranger@acme.test')).toBeNull()
  expect(findBrowserToken(seal, undefined, people[5]!)).toBeNull()
})

test('replaces a user’s token on the next sign-in and keeps the tokens of other users', () => {
  const first = remember(remember(undefined, 'other@acme.test'), 'me@acme.test')
  const lane = findBrowserToken(seal, first, 'me@acme.test')
  const second = remember(first, 'me@acme.test')
  expect(second.split('~')).toHaveLength(2)
  expect(findBrowserToken(seal, second, 'me@acme.test')).not.toEqual(lane)
  expect(findBrowserToken(seal, second, 'other@acme.test')).toEqual(findBrowserToken(seal, first, 'other@acme.test'))
})

test('rejects tokens that are expired, changed or from another portal', () => {
  vi.useFakeTimers({ now: Date.UTC(2031, 0, 1) })
  const email = 'me@acme.test'
  const cookie = remember(undefined, email)
  const other = makeSeal([{ id: 'test', bytes: Buffer.alloc(32, 2) }])
  expect(findBrowserToken(other, cookie, email)).toBeNull()
  expect(findBrowserToken(seal, cookie.replace(/\d{10}/, '9999999999'), email)).toBeNull()
  vi.setSystemTime(Date.now() + BROWSER_SECONDS * 1_000)
  expect(findBrowserToken(seal, cookie, email)).not.toBeNull()
  vi.setSystemTime(Date.now() + 2_000)
  expect(findBrowserToken(seal, cookie, email)).toBeNull()
})

test('binds a token to the password with which it was issued', () => {
  const email = 'me@acme.test'
  const token = findBrowserToken(seal, remember(undefined, email), email)!
  expect(isForPassword(seal, token, 'hash')).toBe(true)
  expect(isForPassword(seal, token, 'another hash')).toBe(false)
  // Tokens do not reveal if two passwords are the same.
  expect(findBrowserToken(seal, remember(undefined, email), email)!.passwordTag).not.toBe(token.passwordTag)
})
