import { describe, expect, test } from 'vitest'
import { CloudError } from '@trainyard/platform/server/providers/errors.ts'
import { requireValue } from './clients.ts'
import { asCloudError, hasCode } from './errors.ts'
import { AWS_OUTCOMES } from './outcome-table.ts'

const failure = (name: string, httpStatusCode: number | undefined, headers: Record<string, string> = {}) =>
  Object.assign(new Error('No\n  more.'), {
    name,
    ...(httpStatusCode === undefined ? {} : { $metadata: { httpStatusCode } }),
    $response: { headers },
  })

describe('a failure', () => {
  test.each([
    // These errors are mapped by their code, regardless of the status. The code may end with Exception.
    ['Throttling', 400, 'throttled'],
    ['TooManyRequestsException', 400, 'throttled'],
    ['LimitExceededException', 400, 'quota'],
    ['DeleteConflict', 409, 'conflict'],
    ['NoSuchEntityException', 404, 'conflict'],
    ['AccessDenied', 403, 'unauthorised'],
    ['InvalidClientTokenId', 400, 'unauthorised'],
    ['RequestExpired', 400, 'unauthorised'],
    ['ServiceFailure', 500, 'unreachable'],
    // These errors have an unknown code and are mapped by their status.
    ['Odd', 429, 'throttled'],
    ['Odd', 401, 'unauthorised'],
    ['Odd', 403, 'unauthorised'],
    ['Odd', 400, 'refused'],
    ['Odd', 409, 'refused'],
    ['Odd', 404, 'unreachable'],
    ['Odd', 500, 'unreachable'],
    ['Odd', 503, 'unreachable'],
  ])('maps %s with %d to %s', (name, status, kind) => {
    const error = asCloudError(failure(name, status), 'create the user')
    expect(error).toMatchObject({ name: 'CloudError', kind, retryAfter: null })
    const code = name.replace('Exception', '')
    // hasCode works on the SDK's error and on the converted one.
    for (const each of [error, failure(name, status)]) {
      expect([hasCode(each, 'Other', code), hasCode(each, 'Other')]).toEqual([true, false])
    }
  })

  test.each([
    ['Throttling', 'AWS throttled the request to create the user (Throttling). Try again later.'],
    [
      'LimitExceeded',
      'A limit of the AWS account is reached. Request a higher limit, or delete unused resources. AWS: No more.',
    ],
    ['Odd', 'AWS refused to create the user: No more.'],
    [
      'AccessDenied',
      "AWS does not allow the portal to create the user (AccessDenied). Check the portal's credentials and roles. AWS: No more.",
    ],
    ['DeleteConflict', 'AWS cannot create the user at present (DeleteConflict): No more.'],
    ['ServiceFailure', 'AWS failed to create the user (status 400).'],
  ])('formats %s as: %s', (name, message) => {
    expect(asCloudError(failure(name, 400), 'create the user')).toMatchObject({ message })
  })

  test.each(AWS_OUTCOMES.map(({ example: [code, message], kind }) => [code, kind, message] as const))(
    'of the table (%s) is %s and is explained in a sentence: %s',
    (code, kind, message) => {
      const error = asCloudError(Object.assign(failure(code, 400), { message }), 'create the user') as CloudError
      expect(error.kind).toBe(kind)
      expect(error.message).toMatch(/^[A-Z][^{}]+[.…]?$/)
    },
  )

  test.each([
    [
      'with an explicit deny in a service control policy: arn:aws:organizations::2:policy/o-b/service_control_policy/p-v4qqk7we',
      "AWS does not allow the portal to create the user: the organization's service control policy p-v4qqk7we denies iam:CreateUser. Ask the organization's administrators to allow it for this account. The portal retries automatically.",
    ],
    [
      'with an explicit deny in a service control policy',
      "AWS does not allow the portal to create the user: a service control policy of the organization denies iam:CreateUser. Ask the organization's administrators to allow it for this account. The portal retries automatically.",
    ],
    [
      'with an explicit deny in a permissions boundary policy',
      'AWS does not allow the portal to create the user: a permissions boundary policy denies iam:CreateUser. Remove this denial for the key of the portal. The portal retries automatically.',
    ],
    [
      'because no identity-based policy allows the iam:CreateUser action',
      'AWS does not allow the portal to create the user: its key lacks iam:CreateUser. Add this action to the policy of the key. The portal retries automatically.',
    ],
  ])('names the missing action and who denies it: %s', (end, message) => {
    const stated = `User: arn:aws:iam::1:user/portal is not authorized to perform: iam:CreateUser on resource: arn:aws:iam::1:user/asha ${end}`
    const error = asCloudError(Object.assign(failure('AccessDenied', 403), { message: stated }), 'create the user')
    expect(error).toMatchObject({ kind: 'unauthorised', message })
  })

  test.each([
    ['ConstraintViolation', 'ACCOUNT_CREATION_RATE_LIMIT_EXCEEDED', 'throttled'],
    ['ConstraintViolation', 'ACCOUNT_NUMBER_LIMIT_EXCEEDED', 'quota'],
    ['ConstraintViolation', 'MASTER_ACCOUNT_PAYMENT_INSTRUMENT_REQUIRED', 'refused'],
    ['HandshakeConstraintViolation', 'HANDSHAKE_RATE_LIMIT_EXCEEDED', 'throttled'],
    ['HandshakeConstraintViolation', 'ACCOUNT_NUMBER_LIMIT_EXCEEDED', 'quota'],
    ['ConstraintViolation', 'ODD', 'quota'],
  ])('of the code %s with the reason %s within it is %s', (code, Reason, kind) => {
    const problem = Object.assign(failure(`${code}Exception`, 400), { Reason })
    const error = asCloudError(problem, 'create the account') as CloudError
    expect(error.kind).toBe(kind)
    expect(error.message.includes(`(${Reason})`)).toBe(kind === 'throttled')
    expect(hasCode(error, code)).toBe(true)
  })

  test('waits for an organization that is being set up', () => {
    const error = asCloudError(failure('FinalizingOrganizationException', 400), 'move the account 1')
    expect(error).toMatchObject({ kind: 'conflict', final: false, maxRetrySeconds: 30 })
  })

  test.each([
    ['33', 33],
    ['0', 0],
    ['99999', 3_600],
    ['soon', null],
  ])('reads a Retry-After of %s as %s seconds', (header, retryAfter) => {
    const error = asCloudError(failure('Throttling', 400, { 'retry-after': header }), 'create the user')
    expect(error).toMatchObject({ retryAfter })
  })
})

test.each([
  [Object.assign(new Error('x'), { name: 'AbortError' }), /did not respond in time/],
  [Object.assign(new Error('x'), { name: 'TimeoutError' }), /did not respond in time/],
  [new TypeError('fetch failed'), /failed: no response/],
])('is unreachable without a response (%s)', (problem, message) => {
  expect(asCloudError(problem, 'create the user')).toMatchObject({
    kind: 'unreachable',
    message: expect.stringMatching(message),
  })
})

test.each([
  ['a bug', new TypeError('x is not a function')],
  ['what has no status', failure('NoSuchEntity', undefined)],
  ['what is no error', 'no'],
  ['what was told already', new CloudError('quota', 'A limit is reached.')],
])('returns %s unchanged', (_, problem) => {
  expect(asCloudError(problem, 'create the user')).toBe(problem)
})

test('treats a response without a required value as unreadable', () => {
  expect(requireValue('AIDA', 'create the user')).toBe('AIDA')
  const message = 'The request to AWS to create the user failed: the response could not be read.'
  expect(() => requireValue(undefined, 'create the user')).toThrow(
    expect.objectContaining({ kind: 'unreachable', message }),
  )
})
