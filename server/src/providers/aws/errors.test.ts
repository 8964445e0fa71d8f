import { describe, expect, test } from 'vitest'
import { CloudError } from '../errors.ts'
import { given } from './clients.ts'
import { asCloudError, says } from './errors.ts'

/** A failure as the SDK throws it. */
const failure = (name: string, httpStatusCode: number | undefined, headers: Record<string, string> = {}) =>
  Object.assign(new Error('No\n  more.'), {
    name,
    ...(httpStatusCode === undefined ? {} : { $metadata: { httpStatusCode } }),
    $response: { headers },
  })

describe('a failure', () => {
  test.each([
    // By its code, with or without Exception at its end, whatever the status.
    ['Throttling', 400, 'throttled'],
    ['TooManyRequestsException', 400, 'throttled'],
    ['LimitExceededException', 400, 'quota'],
    ['DeleteConflict', 409, 'conflict'],
    ['NoSuchEntityException', 404, 'conflict'],
    ['AccessDenied', 403, 'unauthorised'],
    ['InvalidClientTokenId', 400, 'unauthorised'],
    ['RequestExpired', 400, 'unauthorised'],
    ['ServiceFailure', 500, 'unreachable'],
    // By its status, where the code says nothing.
    ['Odd', 429, 'throttled'],
    ['Odd', 401, 'unauthorised'],
    ['Odd', 403, 'unauthorised'],
    ['Odd', 400, 'refused'],
    ['Odd', 409, 'refused'],
    ['Odd', 404, 'unreachable'],
    ['Odd', 500, 'unreachable'],
    ['Odd', 503, 'unreachable'],
  ])('%s with %d is %s', (name, status, kind) => {
    const error = asCloudError(failure(name, status), 'make the user')
    expect(error).toMatchObject({ name: 'CloudError', kind, retryAfter: null })
    const code = name.replace('Exception', '')
    // Its code can be asked for before and after.
    for (const each of [error, failure(name, status)]) {
      expect([says(each, 'Other', code), says(each, 'Other')]).toEqual([true, false])
    }
  })

  test.each([
    ['Throttling', 'AWS asks for a pause before it will make the user (Throttling).'],
    ['LimitExceeded', 'A limit of the AWS account is reached: No more.'],
    ['Odd', 'AWS refuses to make the user: No more.'],
    ['AccessDenied', 'AWS does not let the portal make the user (AccessDenied): look at its credentials and roles.'],
    ['DeleteConflict', 'AWS can not make the user just now (DeleteConflict): No more.'],
    ['ServiceFailure', 'AWS failed when asked to make the user (status 400).'],
  ])('%s is told as: %s', (name, message) => {
    expect(asCloudError(failure(name, 400), 'make the user')).toMatchObject({ message })
  })

  test.each([
    ['33', 33],
    ['0', 0],
    ['99999', 3_600],
    ['soon', null],
  ])('that asks for a pause of %s waits for %s', (header, retryAfter) => {
    const error = asCloudError(failure('Throttling', 400, { 'retry-after': header }), 'make the user')
    expect(error).toMatchObject({ retryAfter })
  })
})

test.each([
  [Object.assign(new Error('x'), { name: 'AbortError' }), /did not answer in time/],
  [Object.assign(new Error('x'), { name: 'TimeoutError' }), /did not answer in time/],
  [new TypeError('fetch failed'), /there was no answer/],
])('without an answer AWS is unreachable (%s)', (problem, message) => {
  expect(asCloudError(problem, 'make the user')).toMatchObject({
    kind: 'unreachable',
    message: expect.stringMatching(message),
  })
})

test.each([
  ['a bug', new TypeError('x is not a function')],
  ['what has no status', failure('NoSuchEntity', undefined)],
  ['what is no error', 'no'],
  ['what was told already', new CloudError('quota', 'A limit is reached.')],
])('%s stays as it is', (_, problem) => {
  expect(asCloudError(problem, 'make the user')).toBe(problem)
})

test('an answer that lacks what it must hold is told as none', () => {
  expect(given('AIDA', 'make the user')).toBe('AIDA')
  const message = 'Asked AWS to make the user, but the answer could not be read.'
  expect(() => given(undefined, 'make the user')).toThrow(expect.objectContaining({ kind: 'unreachable', message }))
})
