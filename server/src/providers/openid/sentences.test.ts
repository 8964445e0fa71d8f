import { AuthorizationResponseError, ResponseBodyError, WWWAuthenticateChallengeError } from 'openid-client'
import { expect, test } from 'vitest'
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

test.each([
  [answer('access_denied'), 'refused', 'The provider did not let you in, or you did not agree.'],
  [answer('temporarily_unavailable'), 'refused', 'login.acme.test did not sign you in.'],
  [challenge(401), 'refused', 'The provider does not take this client ID with this client secret.'],
  [challenge(503), 'unreachable', 'login.acme.test answers with an error of its own.'],
  [body('invalid_grant'), 'refused', 'The provider takes this sign-in no more: it took too long, or was used already.'],
  [body('interaction_required'), 'refused', 'login.acme.test refused to say who signed in.'],
  [body('server_error', 500), 'unreachable', 'login.acme.test answers with an error of its own.'],
  [new Error('odd'), 'untrue', 'login.acme.test answers as no OpenID provider does.'],
])('a failure is told in a sentence of ours: %s', (error, kind, message) => {
  expect(told(error)).toEqual({ kind, message })
})
