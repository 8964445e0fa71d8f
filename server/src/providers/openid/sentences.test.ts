import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client'
import { expect, test } from 'vitest'
import { OpenIdError } from '../open-id.ts'
import { openIdErrorOf } from './sentences.ts'

const provider = { issuer: 'https://login.acme.test/tenant' }
const told = (error: unknown) => {
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
/** As the library has it: the claim stands in the cause of the cause. */
const believed = (code: string, claim?: string) =>
  coded(
    code,
    new ClientError('refused', {
      cause: Object.assign(new Error('refused', claim === undefined ? {} : { cause: { claim } }), { code }),
    }),
  )
const UNBELIEVABLE: unknown = expect.stringMatching(/^The provider's answer can not be believed: /)

test.each([
  [answer('access_denied'), 'refused', 'The provider did not let you in, or you did not agree.'],
  [answer('temporarily_unavailable'), 'refused', 'login.acme.test did not sign you in.'],
  [challenge(401), 'refused', 'The provider does not take this client ID with this client secret.'],
  [challenge(503), 'unreachable', 'login.acme.test answers with an error of its own.'],
  [body('invalid_grant'), 'refused', 'The provider takes this sign-in no more: it took too long, or was used already.'],
  [body('interaction_required'), 'refused', 'login.acme.test refused to say who signed in.'],
  [body('server_error', 500), 'unreachable', 'login.acme.test answers with an error of its own.'],
  [new Error('odd'), 'untrue', 'login.acme.test answers as no OpenID provider does.'],
  [believed('OAUTH_TIMEOUT'), 'unreachable', 'login.acme.test does not answer in time.'],
  [believed('OAUTH_ABORT'), 'unreachable', 'login.acme.test does not answer in time.'],
  [believed('OAUTH_PARSE_ERROR'), 'unreachable', 'login.acme.test answers as no OpenID provider does.'],
  [believed('OAUTH_JWT_CLAIM_COMPARISON_FAILED', 'aud'), 'untrue', 'The answer is meant for another application.'],
  [believed('OAUTH_JWT_CLAIM_COMPARISON_FAILED', 'nonce'), 'untrue', 'The answer belongs to another sign-in.'],
  [believed('OAUTH_JWT_CLAIM_COMPARISON_FAILED', 'acr'), 'untrue', UNBELIEVABLE],
  [believed('OAUTH_JWT_CLAIM_COMPARISON_FAILED'), 'untrue', UNBELIEVABLE],
  [
    believed('OAUTH_JWT_TIMESTAMP_CHECK_FAILED'),
    'untrue',
    "The provider's clock and ours differ by more than 60 seconds.",
  ],
  [believed('OAUTH_KEY_SELECTION_FAILED'), 'untrue', 'The provider signed with a key that it does not publish.'],
  [believed('OAUTH_UNSUPPORTED_OPERATION'), 'untrue', UNBELIEVABLE],
])('a failure is told in a sentence of ours: %s', (error, kind, message) => {
  expect(told(error)).toEqual({ kind, message })
})

test('a failure of our own is told as it is, however deep the library wraps it', () => {
  const ours = new OpenIdError('refused', 'This address is private.')
  const cause = new Error('failed', { cause: ours })
  const wrapped = coded('OAUTH_TIMEOUT', new ClientError('refused', { cause }))
  expect(openIdErrorOf(wrapped, provider)).toBe(ours)
})
