import { normaliseEmail } from '@trainyard/contract/words/email.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { BROWSER_COOKIE } from './authenticate.ts'
import { networkOf } from '../core/network.ts'
import { Problem } from '../core/errors.ts'

/** A whole classroom behind one address may log in within a minute. */
const ATTEMPTS_PER_ADDRESS = 300

/** The Contact Us form is open to all and leaves a row each time. */
const CONTACTS_PER_ADDRESS = 20

/** What takes a password or a token may be tried only so often a minute; other calls are not counted at all. */
const GUESSABLE = new Set(['/api/user/login', '/api/user/password', '/api/user/invitation'])
/** Bytes of the largest body that these take. */
const GUESS_BYTES = 4_096

/** Whether somebody has signed in with a browser before, by its cookie. */
export type IsKnownBrowser = (cookie: string | undefined, email: string) => boolean

/**
 * Limits attempts by address, for each process by itself: what a stranger may guess of one account is counted for all
 * of them together, see domain/user/attempts.ts. Must be called after the rate limiter is registered and before the
 * calls are mounted.
 */
export function limitAttempts(server: FastifyInstance, isKnownBrowser: IsKnownBrowser): void {
  const keyGenerator = (request: FastifyRequest) => networkOf(request.ip)
  const byAddress = server.createRateLimit({ max: ATTEMPTS_PER_ADDRESS, timeWindow: '1 minute', keyGenerator })
  const contacts = server.createRateLimit({ max: CONTACTS_PER_ADDRESS, timeWindow: '1 minute', keyGenerator })

  server.addHook('onRoute', (route) => {
    const attempts = GUESSABLE.has(route.url) ? byAddress : route.url === '/api/contact' ? contacts : null
    if (attempts === null) return
    const refuseBeyond = async (request: FastifyRequest) => {
      const limit = await attempts(request)
      if (!limit.isAllowed && limit.isExceeded) throw tooMany(limit.ttlInSeconds)
    }
    if (attempts === byAddress) route.bodyLimit = GUESS_BYTES
    if (route.url === '/api/user/login') {
      // Guessers at the same address must not keep out whoever signs in where they always do.
      route.preHandler = async (request) => {
        const { email } = request.body as { email: string }
        if (!isKnownBrowser(request.cookies[BROWSER_COOKIE], normaliseEmail(email))) await refuseBeyond(request)
      }
    } else {
      route.preParsing = (request) => refuseBeyond(request)
    }
  })
}

const tooMany = (seconds: number): Problem =>
  new Problem('tooMany', 'Too many attempts. Please wait a moment and try again.', Math.max(1, seconds))
