import { randomUUID } from 'node:crypto'
import { decodeProtectedHeader, errors, importPKCS8, jwtVerify, SignJWT } from 'jose'
import {
  type ChosenContent,
  type Lms,
  LmsError,
  type LmsTrust,
  type LtiClaims,
  type SigningKey,
} from './lms-provider.ts'
import type { AddressPolicy } from '@trainyard/platform/server/providers/guarded-fetch.ts'
import { lmsFetch } from './fetch.ts'
import { KeySets } from './key-sets.ts'
import { readMembers } from './members.ts'
import { readConfiguration, registerTool } from './registration.ts'
import { writeScore } from './score.ts'
import { AccessTokens, ROSTER_SCOPE, SCORE_SCOPES } from './token.ts'

/** Tolerated difference between the clocks. Moodle's tokens are valid for only 60 seconds. */
const SKEW_SECONDS = 60
/** Maximum age of a token, regardless of its claim `exp`. */
const AGE_SECONDS = 600

export function ltiTool(policy: AddressPolicy): Omit<Lms, 'addressRefusal'> {
  const fetch = lmsFetch(policy)
  const keySets = new KeySets(fetch)
  const tokens = new AccessTokens(fetch)
  return {
    async verifyIdToken(platform, token) {
      const header = headerOf(token)
      if (header.alg !== 'RS256') {
        throw new LmsError('invalid', 'The token of the LMS is not signed with RS256, which LTI requires.')
      }
      const key = await keySets.keyFor(platform.keySetUrl, header)
      return verify(token, key, platform)
    },
    countKeys: async ({ keySetUrl }) => (await keySets.read(keySetUrl)).keys.length,
    async checkToken(client) {
      await tokens.request(client, [ROSTER_SCOPE, ...SCORE_SCOPES])
    },
    members: (client, url, deadline) => readMembers(fetch, tokens, client, url, deadline),
    sendScore: (client, url, score) => writeScore(fetch, tokens, client, url, score),
    signContent,
    registrationOrigin: async (configuration) =>
      new URL((await readConfiguration(fetch, policy, configuration)).registrationUrl).origin,
    register: (request) => registerTool(fetch, policy, request),
  }
}

const CLAIM = 'https://purl.imsglobal.org/spec/lti/claim/'
const CONTENT = 'https://purl.imsglobal.org/spec/lti-dl/claim/'

/** Returns the signed response to a deep linking request. */
async function signContent(
  { issuer, clientId }: LmsTrust,
  key: SigningKey,
  { deployment, data, item }: ChosenContent,
): Promise<string> {
  return new SignJWT({
    nonce: randomUUID(),
    [`${CLAIM}deployment_id`]: deployment,
    [`${CLAIM}message_type`]: 'LtiDeepLinkingResponse',
    [`${CLAIM}version`]: '1.3.0',
    ...(data !== null && { [`${CONTENT}data`]: data }),
    [`${CONTENT}content_items`]: [{ type: 'ltiResourceLink', ...item }],
  })
    .setProtectedHeader({ alg: 'RS256', kid: key.id, typ: 'JWT' })
    .setIssuer(clientId)
    .setAudience(issuer)
    .setIssuedAt()
    .setExpirationTime('5m')
    .sign(await importPKCS8(key.privateKey, 'RS256'))
}

function headerOf(token: string) {
  try {
    return decodeProtectedHeader(token)
  } catch (error) {
    throw new LmsError('invalid', 'The LMS sent a token that cannot be read.', error)
  }
}

async function verify(token: string, key: Parameters<typeof jwtVerify>[1], platform: LmsTrust): Promise<LtiClaims> {
  const { issuer, clientId } = platform
  try {
    const { payload } = await jwtVerify(token, key as CryptoKey, {
      algorithms: ['RS256'],
      issuer,
      audience: clientId,
      clockTolerance: SKEW_SECONDS,
      maxTokenAge: AGE_SECONDS,
      requiredClaims: ['exp', 'iat', 'nonce'],
    })
    // With several audiences, the token must have been issued to this client (OpenID Connect Core, 3.1.3.7).
    const several = Array.isArray(payload.aud) && payload.aud.length > 1
    if ((several && payload['azp'] === undefined) || (payload['azp'] ?? clientId) !== clientId) {
      throw new LmsError('invalid', 'The token of the LMS was issued to another application.')
    }
    return payload
  } catch (error) {
    throw error instanceof LmsError ? error : new LmsError('invalid', sentenceOf(error), error)
  }
}

function sentenceOf(error: unknown): string {
  if (error instanceof errors.JWTExpired) {
    return 'The token of the LMS has expired. If this happens again, the clocks of the LMS and the portal differ.'
  }
  if (error instanceof errors.JWTClaimValidationFailed) {
    switch (error.claim) {
      case 'iss':
        return 'The token was not issued by this LMS.'
      case 'aud':
        return 'The token of the LMS was issued to another application.'
      case 'iat':
      case 'nbf':
        return 'The clocks of the LMS and the portal differ by more than a minute.'
      default:
        return `The token of the LMS has no valid ${error.claim}.`
    }
  }
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'The signature of the LMS is not valid.'
  return 'The token of the LMS is not valid.'
}
