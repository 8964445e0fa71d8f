import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client'
import { expect, test } from 'vitest'
import { GuardedFetchError } from '@trainyard/platform/server/providers/guarded-fetch.ts'
import { OpenIdError } from './open-id-provider.ts'
import { openIdErrorOf } from './sentences.ts'

const provider = { issuer: 'https://login.acme.test/tenant' }
const errorOf = (error: unknown) => {
  const { kind, message } = openIdErrorOf(error, provider)
  return { kind, message }
}
const challenge = (status: number) =>
  new WWWAuthenticateChallengeError('refused', {
    cause: [{ scheme: 'basic', parameters: {} }],
    response: new Response(null, { status }),
  })
const body = (error: string, status = 400) =>
  new ResponseBodyError('refused', { cause: { error }, response: new Response(null, { status }) })
const answer = (error: string) => new AuthorizationResponseError('refused', { cause: new URLSearchParams({ error }) })
const coded = (code: string, error: ClientError) => Object.assign(error, { code })
/** Error in the form that the library throws: the claim is in the cause of the cause. */
const invalid = (code: string, claim?: string) =>
  coded(
    code,
    new ClientError('refused', {
      cause: Object.assign(new Error('refused', claim === undefined ? {} : { cause: { claim } }), { code }),
    }),
  )
const INVALID: unknown = expect.stringMatching(/^The provider's response is not valid: /)

test.each([
  [answer('access_denied'), 'refused', 'The provider denied the sign-in, or you did not give consent. Try again.'],
  [answer('temporarily_unavailable'), 'refused', 'login.acme.test could not sign you in. Try again later.'],
  [challenge(401), 'refused', 'The provider rejected the client ID or the client secret.'],
  [challenge(503), 'unreachable', 'login.acme.test reports an internal error. Try again later.'],
  [body('invalid_grant'), 'refused', 'The sign-in has expired or was already used. Sign in again.'],
  [body('interaction_required'), 'refused', 'login.acme.test refused to confirm the sign-in. Try again.'],
  [body('server_error', 500), 'unreachable', 'login.acme.test reports an internal error. Try again later.'],
  [new Error('odd'), 'invalid', 'login.acme.test does not respond like an OpenID provider. Check the issuer.'],
  [
    new ClientError('refused', { cause: new GuardedFetchError('too-long', 'login.acme.test sends more than 512 kB.') }),
    'unreachable',
    'login.acme.test sends more than 512 kB.',
  ],
  [invalid('OAUTH_TIMEOUT'), 'unreachable', 'login.acme.test did not respond in time. Try again later.'],
  [invalid('OAUTH_ABORT'), 'unreachable', 'login.acme.test did not respond in time. Try again later.'],
  [
    invalid('OAUTH_PARSE_ERROR'),
    'unreachable',
    'login.acme.test does not respond like an OpenID provider. Check the issuer.',
  ],
  [invalid('OAUTH_JWT_CLAIM_COMPARISON_FAILED', 'aud'), 'invalid', 'The response is meant for another application.'],
  [invalid('OAUTH_JWT_CLAIM_COMPARISON_FAILED', 'nonce'), 'invalid', 'The response belongs to another sign-in.'],
  [invalid('OAUTH_JWT_CLAIM_COMPARISON_FAILED', 'acr'), 'invalid', INVALID],
  [invalid('OAUTH_JWT_CLAIM_COMPARISON_FAILED'), 'invalid', INVALID],
  [
    invalid('OAUTH_JWT_TIMESTAMP_CHECK_FAILED'),
    'invalid',
    "The provider's clock and the portal's differ by more than 60 seconds.",
  ],
  [
    invalid('OAUTH_KEY_SELECTION_FAILED'),
    'invalid',
    'The response is signed with a key that the provider does not publish.',
  ],
  [invalid('OAUTH_UNSUPPORTED_OPERATION'), 'invalid', INVALID],
])('describes a failure in the portal’s own words: %s', (error, kind, message) => {
  expect(errorOf(error)).toEqual({ kind, message })
})

test('returns the portal’s own error unchanged, however deeply the library wraps it', () => {
  const ownError = new OpenIdError('refused', 'This address is private.')
  const cause = new Error('failed', { cause: ownError })
  const wrapped = coded('OAUTH_TIMEOUT', new ClientError('refused', { cause }))
  expect(openIdErrorOf(wrapped, provider)).toBe(ownError)
})
