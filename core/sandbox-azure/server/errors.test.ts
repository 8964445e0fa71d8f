import { GraphError } from '@microsoft/microsoft-graph-client'
import { describe, expect, test } from 'vitest'
import { CloudError } from '@trainyard/platform/server/providers/errors.ts'
import { asCloudError, isNotFound, isNameTaken } from './errors.ts'

/** Source: Microsoft's list of statuses, learn.microsoft.com/graph/errors. */
test.each([
  [200, 'SyntaxError', 'unreachable'],
  [400, 'Request_BadRequest', 'refused'],
  [400, 'Directory_QuotaExceeded', 'quota'],
  [401, 'InvalidAuthenticationToken', 'unauthorised'],
  [403, 'Authorization_RequestDenied', 'unauthorised'],
  [404, 'Request_ResourceNotFound', 'conflict'],
  [404, 'NotFoundByProxy', 'unreachable'],
  [408, 'RequestTimeout', 'unreachable'],
  [409, 'Conflict', 'conflict'],
  [412, 'PreconditionFailed', 'conflict'],
  [423, 'Locked', 'conflict'],
  [429, 'TooManyRequests', 'throttled'],
  [500, 'InternalServerError', 'unreachable'],
  [503, 'ServiceUnavailable', 'unreachable'],
])("maps Graph's %d %s to %s", (status, code, kind) => {
  const error = Object.assign(new GraphError(status, 'no'), { code })
  expect(asCloudError(error, 'create the user')).toMatchObject({ kind })
  expect(isNotFound(asCloudError(error, 'create the user'))).toBe(code === 'Request_ResourceNotFound')
})

test('returns errors that are not Graph’s unchanged: bugs and existing CloudErrors', () => {
  const programError = new TypeError('x is not a function')
  expect(asCloudError(programError, 'create the user')).toBe(programError)
  const quotaError = new CloudError('quota', 'The limit of the directory is reached.')
  expect(asCloudError(quotaError, 'create the user')).toBe(quotaError)
})

describe('a call without a readable response', () => {
  test.each([
    ['AuthenticationError', 'unauthorised', /could not sign in to Entra/],
    ['CredentialUnavailableError', 'unauthorised', /could not sign in to Entra/],
    ['AggregateAuthenticationError', 'unauthorised', /could not sign in to Entra/],
    ['AbortError', 'unreachable', /no response in time/],
    ['TimeoutError', 'unreachable', /no response in time/],
    ['TypeError', 'unreachable', /failed: no readable response/],
    [null, 'unreachable', /failed: no readable response/],
  ])('with %s is %s', (code, kind, message) => {
    const error = Object.assign(new GraphError(-1, 'no'), { code })
    expect(asCloudError(error, 'create the user')).toMatchObject({ kind, message: expect.stringMatching(message) })
  })
})

test.each([
  [
    'quota',
    400,
    'Directory_QuotaExceeded',
    'The limit of the directory is reached. Request a higher limit, or delete unused resources. Entra: Too many.',
  ],
  [
    'throttled',
    429,
    'TooManyRequests',
    'Entra throttled the request to create the user (TooManyRequests). Try again later.',
  ],
  ['refused', 400, 'BadRequest', 'Entra refused to create the user: Too many.'],
  [
    'unauthorised',
    403,
    null,
    "Entra does not allow the portal to create the user (unknown). Check the portal's credentials and permissions. Entra: Too many.",
  ],
  ['conflict', 409, 'Conflict', 'Entra cannot create the user at present (Conflict): Too many.'],
  [
    'conflict',
    503,
    'Directory_ConcurrencyViolation',
    'Entra cannot create the user at present (Directory_ConcurrencyViolation): Too many.',
  ],
  ['unreachable', 503, 'Busy', 'Entra failed to create the user (status 503).'],
])('formats %s as a sentence, with the requested pause', (kind, status, code, message) => {
  const headers = new Headers({ 'retry-after': '7' })
  const error = Object.assign(new GraphError(status, 'Too many.'), { code, headers })
  expect(asCloudError(error, 'create the user')).toMatchObject({ kind, message, retryAfter: 7 })
})

test.each([
  ['{"details":[{"code":"ObjectConflict"}]}', true],
  [{ details: [{ code: 'Other' }, { code: 'ObjectConflict' }] }, true],
  ['{"details":[{"code":"Other"},{"code":7},{}]}', false],
  ['{"details":null}', false],
  ['{}', false],
  ['null', false],
  ['<html>', false],
])('reads the details %j: name taken %s', (body, taken) => {
  const error = Object.assign(new GraphError(400, 'no'), { code: 'Request_BadRequest', body })
  expect(isNameTaken(asCloudError(error, 'create the user'))).toBe(taken)
})

test.each([
  [{ innerError: { code: 'Directory_QuotaExceeded' } }, 'quota'],
  ['{"innerError":{"code":"X","innerError":{"code":"Directory_ConcurrencyViolation"}}}', 'conflict'],
  [{ details: [{ code: 'X', innerError: { code: 'Directory_QuotaExceeded' } }] }, 'quota'],
  [{ innerError: { code: 'other' } }, 'refused'],
])('maps the inner error of %j to %s', (body, kind) => {
  const error = Object.assign(new GraphError(400, 'no'), { code: 'Request_BadRequest', body })
  expect(asCloudError(error, 'create the user')).toMatchObject({ kind })
})
