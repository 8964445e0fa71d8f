import { GraphError } from '@microsoft/microsoft-graph-client'
import { expect, test } from 'vitest'
import { CloudError } from '../errors.ts'
import { asCloudError, saysAbsent } from './errors.ts'

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

test('what Graph did not say stays as it is: a bug of ours, and an error that was told already', () => {
  const bug = new TypeError('x is not a function')
  expect(asCloudError(bug, 'make the user')).toBe(bug)
  const told = new CloudError('quota', 'The limit of the directory is reached.')
  expect(asCloudError(told, 'make the user')).toBe(told)
})
