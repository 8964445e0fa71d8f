import { expect, test } from 'vitest'
import type { LmsFetch } from './fetch.ts'
import { nextIn, readMembers } from './members.ts'

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

// @covers A334
test('sends the access token to no other site than that of the roster', async () => {
  const asked: string[] = []
  const fetch: LmsFetch = (url) => {
    asked.push(url)
    const link = '<https://evil.test/members>; rel="next"'
    return Promise.resolve({ status: 200, type: 'application/json', text: '{"members":[{"user_id":"1"}]}', link })
  }
  const tokens = { get: () => Promise.resolve('token'), forget: () => undefined } as never
  const reading = readMembers(fetch, tokens, {} as never, 'https://lms.test/members')
  await expect(reading).rejects.toThrow('a page of the roster at another site')
  expect(asked).toEqual(['https://lms.test/members?limit=200'])
})
