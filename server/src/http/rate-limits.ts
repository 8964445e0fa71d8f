import type {} from '@fastify/rate-limit'
import { normaliseEmail } from '@trainyard/contract/words/email.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { tooMany } from '../core/errors.ts'
import { networkOf } from '../core/network.ts'
import { browserCookie, type Identity } from './authenticate.ts'
import { isScaled, type Limit, LIMITS, type PUBLIC_FILES, TRANSFER_CALLS, UNKNOWN_SESSION } from './limits.ts'

export type BrowserOf = (cookie: string | undefined, email: string) => string | null

interface Counter {
  readonly limit: Limit
  readonly count: ReturnType<FastifyInstance['createRateLimit']>
}

const LOGIN = 'POST /user/login'

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
    this.#counters = LIMITS.map((limit) => {
      const maximum = Math.max(1, Math.round(limit.max * (isScaled(limit) ? factor : 1)))
      return {
        limit: { ...limit, max: maximum },
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
   * @throws Problem tooMany
   */
  async count(
    request: FastifyRequest,
    reply: FastifyReply,
    call: string,
    { actor, apiKey }: Pick<Identity, 'actor' | 'apiKey'>,
  ): Promise<void> {
    const keys = new Map<Limit['per'], string>([['address', networkOf(request.ip)]])
    if (actor !== null) keys.set('person', actor.id).set('organisation', actor.organisation?.id ?? actor.id)
    if (apiKey !== null) keys.set('key', apiKey.id)
    await this.#countBy(request, reply, (limit) => {
      if (call === LOGIN && limit.name === 'sign-in' && this.#hasCookie(request)) return undefined
      return appliesTo(limit, call) ? keys.get(limit.per) : undefined
    })
  }

  /**
   * Counts a request that needs a query for its session, because this process does not know its token yet.
   * @throws Problem tooMany
   */
  async countUnknownSession(address: string): Promise<void> {
    for (const { limit, count } of this.#counters) {
      if (!appliesTo(limit, UNKNOWN_SESSION)) continue
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
    for (const { limit, count } of this.#counters) {
      if (limit.per !== 'person' || limit.calls !== 'of people') continue
      this.#keys.set(request, user)
      const counted = await count(request)
      if (!counted.isAllowed && counted.isExceeded) throw tooMany(counted.ttlInSeconds)
    }
  }

  /** Counts requests of `PUBLIC_FILES`, which have no session. */
  countPublicFile(file: (typeof PUBLIC_FILES)[number]) {
    return (request: FastifyRequest, reply: FastifyReply): Promise<void> =>
      this.count(request, reply, file, { actor: null, apiKey: null })
  }

  /** Counts a login per known browser, so that an attacker at the same address cannot lock out its user. */
  async countLogin(request: FastifyRequest, reply: FastifyReply, call: string): Promise<void> {
    if (call !== LOGIN || !this.#hasCookie(request)) return
    const { email } = request.body as { email: string }
    const browser = this.#browserOf(request.cookies[this.#browserCookie], normaliseEmail(email))
    await this.#countBy(request, reply, ({ name }) => {
      if (name === 'known-browser') return browser ?? undefined
      return name === 'sign-in' && browser === null ? networkOf(request.ip) : undefined
    })
  }

  #hasCookie(request: FastifyRequest): boolean {
    return request.cookies[this.#browserCookie] !== undefined
  }

  async #countBy(request: FastifyRequest, reply: FastifyReply, keyOf: (limit: Limit) => string | undefined) {
    const policies: string[] = []
    const left: string[] = []
    for (const { limit, count } of this.#counters) {
      const key = keyOf(limit)
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

const appliesTo = ({ per, calls }: Limit, call: string): boolean =>
  calls === 'of people' ? !(per === 'person' && TRANSFER_CALLS.includes(call)) : calls.includes(call)
