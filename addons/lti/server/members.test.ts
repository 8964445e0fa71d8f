import { expect, test } from 'vitest'
import { growthOfTime, LINEAR } from '@trainyard/platform/contract/test-growth.ts'
import type { LmsFetch } from './fetch.ts'
import { nextIn, readMembers } from './members.ts'

const IN_TIME = new AbortController().signal
const BASE = 'https://lms.test/members?limit=10'

test.each([
  [null, null],
  ['<https://lms.test/members?from=10>; rel="next"', 'https://lms.test/members?from=10'],
  ['<https://lms.test/members?from=10>; rel=next', 'https://lms.test/members?from=10'],
  ['</members?from=10&limit=10>; rel="next"', 'https://lms.test/members?from=10&limit=10'],
  ['<https://lms.test/a>; rel="prev", <https://lms.test/b>; rel="next"', 'https://lms.test/b'],
  ['<https://lms.test/a,b>; title="x"; rel="last next"', 'https://lms.test/a,b'],
  ['<https://lms.test/a>; rel="differences"', null],
  ['<https://lms.test/a>; rel="nextlast"', null],
  ['https://lms.test/a; rel=next', null],
])('finds the next page in the header %j', (header, next) => {
  expect(nextIn(header, BASE)).toBe(next)
})

test.each([
  ['rel=x', (size: number) => `<https://lms.test/a>${';rel=x'.repeat(size / 14)}${' next'.repeat(size / 10)}"x`],
  ['rel="', (size: number) => `<https://lms.test/a>${'; rel="'.repeat(size / 8)}`],
  [' ;', (size: number) => `<https://lms.test/a>${' ;'.repeat(size / 2)}x`],
  ['<', (size: number) => '<'.repeat(size)],
  ['rel=', (size: number) => `<https://lms.test/a>; rel=${' '.repeat(size)}x`],
])('reads a header that was made to be slow by repeating %j in linear time', (_, headerOf) => {
  expect(growthOfTime((size) => nextIn(headerOf(size), BASE), 16_000)).toBeLessThan(LINEAR)
})

test('reads a page with more members than a call has arguments', async () => {
  const text = `{"members":[${'[],'.repeat(200_000)}{"user_id":"1"}]}`
  const fetch: LmsFetch = () => Promise.resolve({ status: 200, text, link: null })
  const tokens = { get: () => Promise.resolve('token'), forget: () => undefined } as never
  const members = await readMembers(fetch, tokens, {} as never, 'https://lms.test/members', IN_TIME)
  expect(members).toEqual([{ user_id: '1' }])
})

test('sends the access token only to the site of the roster', async () => {
  const requests: string[] = []
  const fetch: LmsFetch = (url) => {
    requests.push(url)
    const link = '<https://evil.test/members>; rel="next"'
    return Promise.resolve({ status: 200, type: 'application/json', text: '{"members":[{"user_id":"1"}]}', link })
  }
  const tokens = { get: () => Promise.resolve('token'), forget: () => undefined } as never
  const reading = readMembers(fetch, tokens, {} as never, 'https://lms.test/members', IN_TIME)
  await expect(reading).rejects.toThrow('a page of the roster at another site')
  expect(requests).toEqual(['https://lms.test/members?limit=200'])
})

test.each([
  ['after four pages without members', '', 'sends pages without members', 4],
  ['at the deadline of the whole roster', '{"user_id":"1"}', 'did not send all members of the course in time', 5],
])('stops reading pages that never end %s', async (_when, members, problem, expected) => {
  let requests = 0
  const deadline = new AbortController()
  const fetch: LmsFetch = () => {
    requests += 1
    if (requests === 5) deadline.abort()
    return Promise.resolve({ status: 200, text: `{"members":[${members}]}`, link: '</members>; rel="next"' })
  }
  const tokens = { get: () => Promise.resolve('token'), forget: () => undefined } as never
  const reading = readMembers(fetch, tokens, {} as never, 'https://lms.test/members', deadline.signal)
  await expect(reading).rejects.toThrow(problem)
  expect(requests).toBe(expected)
})
