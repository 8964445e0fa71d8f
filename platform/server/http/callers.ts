import type { IncomingMessage } from 'node:http'
import { fastifyCookie } from '@fastify/cookie'
import proxyAddr from '@fastify/proxy-addr'
import type { FastifyRequest } from 'fastify'
import type { Actor } from '../core/actor.ts'
import { hashToken } from '../core/tokens.ts'
import type { AdmissionControl } from './admission/admission.ts'
import { bearerOf, type Identity, sessionCookie } from './authenticate.ts'
import type { RateLimits } from './rate-limits.ts'
import { type Claimant, claimantOf } from './shares.ts'
import { type TrustedProxies, trustOf } from './trusted-proxies.ts'

/** Maximum number of remembered tokens. */
const TOKENS_MAX = 20_000

interface Limited {
  readonly limits: RateLimits
  readonly admission: AdmissionControl
}

/**
 * The callers of this process, by the tokens that they sent. The user of a token is remembered from its last lookup, so
 * that shares per user apply before the next one. A remembered token authorises no call.
 */
export class Callers {
  readonly #known = new Map<string, Claimant>()
  readonly #keys = new WeakMap<IncomingMessage, string | null>()
  readonly #cookieName: string
  readonly #isTrusted: ReturnType<typeof trustOf>

  constructor({ https, trustedProxies }: { readonly https: boolean; readonly trustedProxies: TrustedProxies }) {
    this.#cookieName = sessionCookie(https)
    this.#isTrusted = trustOf(trustedProxies)
  }

  /** Returns the address of the client; behind trusted proxies, the last address that is not theirs. */
  addressOf(request: IncomingMessage): string {
    return proxyAddr(request, this.#isTrusted)
  }

  claimantOf(request: IncomingMessage): Claimant {
    return this.#known.get(this.#keyOf(request) ?? '') ?? claimantOf(null, this.addressOf(request))
  }

  /**
   * Authenticates a request with `lookUp`. Lookups of unknown tokens are limited per network.
   * @throws Problem tooMany, unavailable
   */
  identify(request: FastifyRequest, parts: Limited, lookUp: () => Promise<Identity>): Promise<Identity> {
    return this.recognise(request, parts, lookUp, ({ actor }) => actor && claimantOf(actor, ''))
  }

  /**
   * Finds the owner of a request's token with `lookUp`, as `identify` does.
   * @param claimantOfFound returns the claimant; null: the token is not valid
   * @throws Problem tooMany, unavailable
   */
  async recognise<Found>(
    request: FastifyRequest,
    { limits, admission }: Limited,
    lookUp: () => Promise<Found>,
    claimantOfFound: (found: Found) => Claimant | null,
  ): Promise<Found> {
    const isUnknown = this.needsLookup(request.raw)
    if (isUnknown) await limits.countUnknownSession(request.ip)
    const found = await lookUp()
    const claimant = claimantOfFound(found)
    this.#remember(request.raw, claimant)
    if (isUnknown && claimant !== null) await admission.rejoin(request)
    return found
  }

  /** Returns true if the request has a token whose user is not known, so that only a query can find the user. */
  needsLookup(request: IncomingMessage): boolean {
    const key = this.#keyOf(request)
    return key !== null && !this.#known.has(key)
  }

  /** Remembers the user of the request's token; null: the token is not valid. */
  remember(request: IncomingMessage, actor: Actor | null): void {
    this.#remember(request, actor && claimantOf(actor, ''))
  }

  #remember(request: IncomingMessage, claimant: Claimant | null): void {
    const key = this.#keyOf(request)
    if (key === null) return
    this.#known.delete(key)
    if (claimant === null) return
    this.#known.set(key, claimant)
    if (this.#known.size > TOKENS_MAX) this.#known.delete(this.#known.keys().next().value!)
  }

  #keyOf(request: IncomingMessage): string | null {
    const known = this.#keys.get(request)
    if (known !== undefined) return known
    const { authorization, cookie = '' } = request.headers
    const token = bearerOf(authorization) ?? fastifyCookie.parse(cookie)[this.#cookieName]
    const key = token === undefined ? null : hashToken(token).toString('base64')
    this.#keys.set(request, key)
    return key
  }
}
