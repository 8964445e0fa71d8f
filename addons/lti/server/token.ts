import { createHash, randomUUID } from 'node:crypto'
import { importPKCS8, SignJWT } from 'jose'
import { type LmsClient, LmsError } from './lms-provider.ts'
import { isWebPage, type LmsFetch, objectIn } from './fetch.ts'

export const ROSTER_SCOPE = 'https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly'
export const SCORE_SCOPES = [
  'https://purl.imsglobal.org/spec/lti-ags/scope/lineitem',
  'https://purl.imsglobal.org/spec/lti-ags/scope/score',
]

const ASSERTION_SECONDS = 120
/** Seconds before their expiry at which cached tokens are replaced. */
const SPARE_SECONDS = 60
const CACHE_SIZE = 500

/** Access tokens for the services of LMSs (client credentials with a signed assertion, RFC 7523). */
export class AccessTokens {
  readonly #fetch: LmsFetch
  readonly #cache = new Map<string, { readonly token: string; readonly until: number }>()

  constructor(fetch: LmsFetch) {
    this.#fetch = fetch
  }

  /** Returns a cached token or requests one. */
  async get(client: LmsClient, scopes: readonly string[]): Promise<string> {
    const key = cacheKey(client, scopes)
    const cached = this.#cache.get(key)
    if (cached !== undefined && cached.until > Date.now()) return cached.token
    const { token, seconds } = await this.request(client, scopes)
    this.#cache.delete(key)
    this.#cache.set(key, { token, until: Date.now() + (seconds - SPARE_SECONDS) * 1_000 })
    if (this.#cache.size > CACHE_SIZE) this.#cache.delete(this.#cache.keys().next().value!)
    return token
  }

  /** Removes a token that the LMS no longer accepts. */
  forget(client: LmsClient, scopes: readonly string[]): void {
    this.#cache.delete(cacheKey(client, scopes))
  }

  /** Requests a token. Returns the token with its lifetime in seconds. @throws LmsError */
  async request(client: LmsClient, scopes: readonly string[]): Promise<{ token: string; seconds: number }> {
    const { host } = new URL(client.tokenUrl)
    const reply = await this.#fetch(client.tokenUrl, {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: await assertionOf(client),
        scope: scopes.join(' '),
      }).toString(),
    })
    // Moodle answers with a web page if it cannot fetch the portal's key set, for example because its settings forbid
    // the address. Moodle 4.5 labels its JSON as text/html too, so only the text distinguishes the two.
    if (isWebPage(reply)) {
      throw new LmsError(
        'refused',
        `${host} answers the token request with a web page (${reply.status}). Most often the LMS cannot fetch the portal's key set at ${client.ownKeySetUrl}: check that its network settings allow this address and port.`,
      )
    }
    const body = objectIn(reply, 'an access token', host)
    if (reply.status !== 200) {
      const { error, error_description: text } = body
      const reason = [error, text]
        .filter((part) => typeof part === 'string')
        .join(': ')
        .slice(0, 200)
      throw new LmsError(
        reply.status >= 500 ? 'unreachable' : 'refused',
        `${host} issues no access token (${reply.status}${reason === '' ? '' : `, ${reason}`}).`,
      )
    }
    const { access_token: token, expires_in: seconds } = body
    if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token))
      throw new LmsError('invalid', `${host} sent no access token.`)
    return { token, seconds: typeof seconds === 'number' ? seconds : 300 }
  }
}

function cacheKey({ key, clientId, tokenUrl, tokenAudience }: LmsClient, scopes: readonly string[]): string {
  const id = JSON.stringify([key.id, clientId, tokenUrl, tokenAudience, ...scopes])
  return createHash('sha256').update(id).digest('base64url')
}

async function assertionOf({ clientId, tokenUrl, tokenAudience, key }: LmsClient): Promise<string> {
  return new SignJWT({})
    .setProtectedHeader({ alg: 'RS256', kid: key.id, typ: 'JWT' })
    .setIssuer(clientId)
    .setSubject(clientId)
    .setAudience(tokenAudience ?? tokenUrl)
    .setIssuedAt()
    .setExpirationTime(`${ASSERTION_SECONDS}s`)
    .setJti(randomUUID())
    .sign(await importPKCS8(key.privateKey, 'RS256'))
}
