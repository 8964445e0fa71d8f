import { GraphError } from '@microsoft/microsoft-graph-client'
import { describe, expect, test } from 'vitest'
import { CloudError } from '../errors.ts'
import { asCloudError, saysAbsent, saysTaken } from './errors.ts'

/** Microsoft's list of statuses: learn.microsoft.com/graph/errors. */
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
])('Graph answering %d %s is %s', (status, code, kind) => {
  const error = Object.assign(new GraphError(status, 'no'), { code })
  expect(asCloudError(error, 'make the user')).toMatchObject({ kind })
  expect(saysAbsent(asCloudError(error, 'make the user'))).toBe(code === 'Request_ResourceNotFound')
})

test('errors that are not Graph’s stay as they are: a bug of ours, and an error that was told already', () => {
  const bug = new TypeError('x is not a function')
  expect(asCloudError(bug, 'make the user')).toBe(bug)
  const told = new CloudError('quota', 'The limit of the directory is reached.')
  expect(asCloudError(told, 'make the user')).toBe(told)
})

describe('an answer that is none', () => {
  test.each([
    ['AuthenticationError', 'unauthorised', /could not sign in to Entra/],
    ['CredentialUnavailableError', 'unauthorised', /could not sign in to Entra/],
    ['AggregateAuthenticationError', 'unauthorised', /could not sign in to Entra/],
    ['AbortError', 'unreachable', /did not answer in time/],
    ['TimeoutError', 'unreachable', /did not answer in time/],
    ['TypeError', 'unreachable', /no answer that could be read/],
    [null, 'unreachable', /no answer that could be read/],
  ])('for %s is %s', (code, kind, message) => {
    const error = Object.assign(new GraphError(-1, 'no'), { code })
    expect(asCloudError(error, 'make the user')).toMatchObject({ kind, message: expect.stringMatching(message) })
  })
})

test.each([
  ['quota', 400, 'Directory_QuotaExceeded', 'The limit of the directory is reached: Too many.'],
  ['throttled', 429, 'TooManyRequests', 'Entra asks for a pause before it will make the user (TooManyRequests).'],
  ['refused', 400, 'BadRequest', 'Entra refuses to make the user: Too many.'],
  [
    'unauthorised',
    403,
    null,
    'Entra does not let the portal make the user (unknown): look at its credentials and permissions.',
  ],
  ['conflict', 409, 'Conflict', 'Entra can not make the user just now (Conflict): Too many.'],
  ['unreachable', 503, 'Busy', 'Entra failed when asked to make the user (status 503).'],
])('%s is told in a sentence, with the pause that was asked for', (kind, status, code, message) => {
  const headers = new Headers({ 'retry-after': '7' })
  const error = Object.assign(new GraphError(status, 'Too many.'), { code, headers })
  expect(asCloudError(error, 'make the user')).toMatchObject({ kind, message, retryAfter: 7 })
})

test.each([
  ['{"details":[{"code":"ObjectConflict"}]}', true],
  [{ details: [{ code: 'Other' }, { code: 'ObjectConflict' }] }, true],
  ['{"details":[{"code":"Other"},{"code":7},{}]}', false],
  ['{"details":null}', false],
  ['{}', false],
  ['null', false],
  ['<html>', false],
])('of the details %j a name is taken: %s', (body, taken) => {
  const error = Object.assign(new GraphError(400, 'no'), { code: 'Request_BadRequest', body })
  expect(saysTaken(asCloudError(error, 'make the user'))).toBe(taken)
})
