import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client'
import { OpenIdError } from '../open-id.ts'

/** Clocks may differ by this much. */
export const SKEW_SECONDS = 60

const untrue = (sentence: string, cause: unknown) => new OpenIdError('untrue', sentence, cause)

/** Returns an error of openid-client in our words: the provider's own are for its own people. */
export function openIdErrorOf(error: unknown, { issuer }: { readonly issuer: string }): OpenIdError {
  const { host } = new URL(issuer)
  const inside = causeIn(error)
  if (inside !== null) return inside
  if (error instanceof AuthorizationResponseError) {
    return new OpenIdError('refused', ANSWERS[error.error] ?? `${host} did not sign you in.`, error)
  }
  if (error instanceof ResponseBodyError || error instanceof WWWAuthenticateChallengeError) {
    const code = error instanceof ResponseBodyError ? error.error : 'invalid_client'
    if (error.status >= 500) return new OpenIdError('unreachable', `${host} answers with an error of its own.`, error)
    return new OpenIdError('refused', CODES[code] ?? `${host} refused to say who signed in.`, error)
  }
  if (!(error instanceof ClientError)) return untrue(`${host} answers as no OpenID provider does.`, error)
  switch (error.code) {
    case 'OAUTH_TIMEOUT':
    case 'OAUTH_ABORT':
      return new OpenIdError('unreachable', `${host} does not answer in time.`, error)
    case 'OAUTH_RESPONSE_IS_NOT_CONFORM':
    case 'OAUTH_RESPONSE_IS_NOT_JSON':
    case 'OAUTH_PARSE_ERROR':
      return new OpenIdError('unreachable', `${host} answers as no OpenID provider does.`, error)
    case 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED':
      return untrue(`The issuer is not written as the provider writes it: ${issuer} must be its own spelling.`, error)
    case 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED':
      return untrue(`The provider's clock and ours differ by more than ${SKEW_SECONDS} seconds.`, error)
    case 'OAUTH_JWT_CLAIM_COMPARISON_FAILED':
      return untrue(CLAIMS[claimOf(error)] ?? UNBELIEVABLE, error)
    case 'OAUTH_KEY_SELECTION_FAILED':
      return untrue('The provider signed with a key that it does not publish.', error)
    default:
      return untrue(UNBELIEVABLE, error)
  }
}

const UNBELIEVABLE = "The provider's answer can not be believed: it does not belong to this sign-in, or is not signed."

const ANSWERS: Readonly<Record<string, string>> = {
  access_denied: 'The provider did not let you in, or you did not agree.',
}

const CODES: Readonly<Record<string, string>> = {
  invalid_client: 'The provider does not take this client ID with this client secret.',
  invalid_grant: 'The provider takes this sign-in no more: it took too long, or was used already.',
  unauthorized_client: 'The provider does not let this client ask for a sign-in.',
}

const CLAIMS: Readonly<Record<string, string>> = {
  iss: 'The answer is not from the issuer that was set up.',
  aud: 'The answer is meant for another application.',
  azp: 'The answer is meant for another application.',
  nonce: 'The answer belongs to another sign-in.',
}

/** Returns the error of our own that openid-client wrapped. */
function causeIn(error: unknown): OpenIdError | null {
  for (let at = error; at instanceof Error; at = at.cause) if (at instanceof OpenIdError) return at
  return null
}

/** Returns the name of the claim that differs. */
function claimOf(error: ClientError): string {
  for (let at: unknown = error; typeof at === 'object' && at !== null; at = (at as Error).cause) {
    if ('claim' in at && typeof at.claim === 'string') return at.claim
  }
  return ''
}
