import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client'
import { OpenIdError } from './open-id-provider.ts'
import { GuardedFetchError } from '@trainyard/platform/server/providers/guarded-fetch.ts'

export const SKEW_SECONDS = 60

const invalid = (sentence: string, cause: unknown) => new OpenIdError('invalid', sentence, cause)

/**
 * Converts an error to a message in the portal's own words, because the messages of providers are for their
 * administrators.
 */
export function openIdErrorOf(error: unknown, { issuer }: { readonly issuer: string }): OpenIdError {
  const { host } = new URL(issuer)
  const known = findOpenIdError(error)
  if (known !== null) return known
  if (error instanceof AuthorizationResponseError) {
    return new OpenIdError(
      'refused',
      SIGN_IN_ERRORS[error.error] ?? `${host} could not sign you in. Try again later.`,
      error,
    )
  }
  if (error instanceof ResponseBodyError || error instanceof WWWAuthenticateChallengeError) {
    const code = error instanceof ResponseBodyError ? error.error : 'invalid_client'
    if (error.status >= 500)
      return new OpenIdError('unreachable', `${host} reports an internal error. Try again later.`, error)
    return new OpenIdError('refused', TOKEN_ERRORS[code] ?? `${host} refused to confirm the sign-in. Try again.`, error)
  }
  if (!(error instanceof ClientError))
    return invalid(`${host} does not respond like an OpenID provider. Check the issuer.`, error)
  switch (error.code) {
    case 'OAUTH_TIMEOUT':
    case 'OAUTH_ABORT':
      return new OpenIdError('unreachable', `${host} did not respond in time. Try again later.`, error)
    case 'OAUTH_RESPONSE_IS_NOT_CONFORM':
    case 'OAUTH_RESPONSE_IS_NOT_JSON':
    case 'OAUTH_PARSE_ERROR':
      return new OpenIdError(
        'unreachable',
        `${host} does not respond like an OpenID provider. Check the issuer.`,
        error,
      )
    case 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED':
      return invalid(
        `The issuer ${issuer} is not spelled as in the provider's metadata. Use the provider's exact spelling.`,
        error,
      )
    case 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED':
      return invalid(`The provider's clock and the portal's differ by more than ${SKEW_SECONDS} seconds.`, error)
    case 'OAUTH_JWT_CLAIM_COMPARISON_FAILED':
      return invalid(CLAIM_ERRORS[claimOf(error)] ?? INVALID, error)
    case 'OAUTH_KEY_SELECTION_FAILED':
      return invalid('The response is signed with a key that the provider does not publish.', error)
    default:
      return invalid(INVALID, error)
  }
}

const INVALID =
  "The provider's response is not valid: it does not belong to this sign-in, or its signature is missing or wrong."

const SIGN_IN_ERRORS: Readonly<Record<string, string>> = {
  access_denied: 'The provider denied the sign-in, or you did not give consent. Try again.',
}

const TOKEN_ERRORS: Readonly<Record<string, string>> = {
  invalid_client: 'The provider rejected the client ID or the client secret.',
  invalid_grant: 'The sign-in has expired or was already used. Sign in again.',
  unauthorized_client: 'The provider does not allow this client to sign users in.',
}

const CLAIM_ERRORS: Readonly<Record<string, string>> = {
  iss: 'The response is not from the configured issuer.',
  aud: 'The response is meant for another application.',
  azp: 'The response is meant for another application.',
  nonce: 'The response belongs to another sign-in.',
}

function findOpenIdError(error: unknown): OpenIdError | null {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof OpenIdError) return at
    if (at instanceof GuardedFetchError)
      return new OpenIdError(at.kind === 'too-long' ? 'unreachable' : at.kind, at.message, at.cause)
  }
  return null
}

function claimOf(error: ClientError): string {
  for (let at: unknown = error; typeof at === 'object' && at !== null; at = (at as Error).cause) {
    if ('claim' in at && typeof at.claim === 'string') return at.claim
  }
  return ''
}
