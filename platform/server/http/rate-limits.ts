import type {} from '@fastify/rate-limit'
import { normaliseEmail } from '../../contract/words/email.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { tooMany } from '../core/errors.ts'
import { networkOf } from '../core/network.ts'
import { browserCookie, type Identity } from './authenticate.ts'
import type { Limit } from '../../contract/limits.ts'
import * as limits from '../../contract/limits.ts'
import { declaredLimits, isScaled } from './limits.ts'

export type BrowserOf = (cookie: string | undefined, email: string) => string | null

interface Counter {
  readonly limit: Limit
  /** As declared, before it is scaled. */
  readonly declared: Limit
  readonly count: ReturnType<FastifyInstance['createRateLimit']>
}

/** Limits the rate of calls (draft-ietf-httpapi-ratelimit-headers-10). Each process counts separately. */
export class RateLimits {
  readonly #counters: readonly Counter[]
  readonly #keys = new WeakMap<FastifyRequest, string>()
  readonly #browserOf: BrowserOf
  readonly #browserCookie: string

  /** @param factor multiplier for scaled limits, see `isScaled` */
  constructor(
    server: FastifyInstance,
    { browserOf, factor, https }: { readonly browserOf: BrowserOf; readonly factor: number; readonly https: boolean },
  ) {
    this.#browserOf = browserOf
    this.#browserCookie = browserCookie(https)
    this.#counters = declaredLimits().map((limit) => {
      const maximum = Math.max(1, Math.round(limit.max * (isScaled(limit) ? factor : 1)))
      return {
        limit: { ...limit, max: maximum },
        declared: limit,
        count: server.createRateLimit({
          max: maximum,
          timeWindow: limit.seconds * 1_000,
          keyGenerator: (request) => this.#keys.get(request)!,
        }),
      }
    })
  }

  /**
   * Counts a call before its body is read, so that a flood of calls costs little more than the connections.
   * @param named limits of the call
   * @throws Problem tooMany
   */
  async count(
    request: FastifyRequest,
    reply: FastifyReply,
    named: readonly Limit[],
    { actor, apiKey }: Pick<Identity, 'actor' | 'apiKey'>,
  ): Promise<void> {
    const keys = new Map<Limit['per'], string>([['address', networkOf(request.ip)]])
    if (actor !== null) keys.set('person', actor.id).set('organisation', actor.organisation?.id ?? actor.id)
    if (apiKey !== null) keys.set('key', apiKey.id)
    // The attempts of a known browser are counted by `countLogin`.
    const counted = this.#isOfBrowser(request, named) ? named.filter((limit) => limit !== limits.guesses) : named
    await this.#countBy(request, reply, counted, ({ per }) => keys.get(per))
  }

  /**
   * Counts a request that needs a query for its session, because this process does not know its token yet.
   * @throws Problem tooMany
   */
  async countUnknownSession(address: string): Promise<void> {
    for (const { declared, count } of this.#counters) {
      if (declared !== limits.unknownSessions) continue
      // A WebSocket is opened without a request of Fastify. The counter reads the route's settings and our key only.
      const request = { routeOptions: { config: {} } } as FastifyRequest
      this.#keys.set(request, networkOf(address))
      const counted = await count(request)
      if (!counted.isAllowed && counted.isExceeded) throw tooMany(counted.ttlInSeconds)
    }
  }

  /**
   * Counts a call that was refused before `count`, because of its user's role or because of overload.
   * @throws Problem tooMany
   */
  async countRefusal(request: FastifyRequest, user: string | undefined): Promise<void> {
    if (user === undefined) return
    for (const { declared, count } of this.#counters) {
      if (declared !== limits.calls) continue
      this.#keys.set(request, user)
      const counted = await count(request)
      if (!counted.isAllowed && counted.isExceeded) throw tooMany(counted.ttlInSeconds)
    }
  }

  /** Counts requests of files outside the contract, which have no session. */
  countPublicFile() {
    return (request: FastifyRequest, reply: FastifyReply): Promise<void> =>
      this.count(request, reply, [limits.publicFiles], { actor: null, apiKey: null })
  }

  /** Counts a login per known browser, so that an attacker at the same address cannot lock out its user. */
  async countLogin(request: FastifyRequest, reply: FastifyReply, named: readonly Limit[]): Promise<void> {
    if (!this.#isOfBrowser(request, named)) return
    const { email } = request.body as { email: string }
    const browser = this.#browserOf(request.cookies[this.#browserCookie], normaliseEmail(email))
    if (browser === null) await this.#countBy(request, reply, [limits.guesses], () => networkOf(request.ip))
    else await this.#countBy(request, reply, [limits.knownBrowsers], () => browser)
  }

  #isOfBrowser(request: FastifyRequest, named: readonly Limit[]): boolean {
    return named.includes(limits.knownBrowsers) && request.cookies[this.#browserCookie] !== undefined
  }

  async #countBy(
    request: FastifyRequest,
    reply: FastifyReply,
    named: readonly Limit[],
    keyOf: (limit: Limit) => string | undefined,
  ) {
    const policies: string[] = []
    const left: string[] = []
    for (const { limit, declared, count } of this.#counters) {
      const key = named.includes(declared) ? keyOf(limit) : undefined
      if (key === undefined) continue
      this.#keys.set(request, key)
      const counted = await count(request)
      if (counted.isAllowed) continue
      policies.push(`"${limit.name}";q=${limit.max};w=${limit.seconds}`)
      left.push(`"${limit.name}";r=${counted.remaining};t=${counted.ttlInSeconds}`)
      reply.header('ratelimit-policy', policies.join(', ')).header('ratelimit', left.join(', '))
      if (counted.isExceeded) throw tooMany(counted.ttlInSeconds)
    }
  }
}
