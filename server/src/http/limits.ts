import { normaliseEmail } from '@trainyard/contract/words/email.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { BROWSER_COOKIE } from './authenticate.ts'
import { networkOf } from '../core/network.ts'
import { tooMany } from '../core/errors.ts'

/** A whole classroom behind one address may log in within a minute. */
const ATTEMPTS_PER_ADDRESS = 300

/** A known browser is not counted with its address: nobody types a password as often as this. */
const ATTEMPTS_PER_BROWSER = 60

/** The Contact Us form is open to all and leaves a row each time. */
const CONTACTS_PER_ADDRESS = 20

/** Calls that take a password or a token may be tried only so often a minute; other calls are not counted at all. */
const GUESSABLE = new Set([
  '/api/user/login',
  '/api/user/login/second',
  '/api/user/login/passkey',
  '/api/user/login/passkey/challenge',
  '/api/user/password',
  '/api/user/invitation',
])
/** Bytes of the largest body that these take. */
const GUESS_BYTES = 4_096

/** Names the browser that a person has signed in with before, by its cookie; null: they have not. */
export type BrowserOf = (cookie: string | undefined, email: string) => string | null

/**
 * Limits attempts by address, for each process by itself: what a stranger may guess of one account is counted for all
 * of them together, see domain/user/attempts.ts. Must be called after the rate limiter is registered and before the
 * calls are mounted.
 */
export function limitAttempts(server: FastifyInstance, browserOf: BrowserOf): void {
  const timeWindow = '1 minute'
  const ofAddress = (request: FastifyRequest) => networkOf(request.ip)
  const attempts = server.createRateLimit({ max: ATTEMPTS_PER_ADDRESS, timeWindow, keyGenerator: ofAddress })
  const contacts = server.createRateLimit({ max: CONTACTS_PER_ADDRESS, timeWindow, keyGenerator: ofAddress })
  const ofBrowser = server.createRateLimit({
    max: ATTEMPTS_PER_BROWSER,
    timeWindow,
    keyGenerator: (request) => browserNaming(request)!,
  })
  const browserNaming = (request: FastifyRequest) =>
    browserOf(request.cookies[BROWSER_COOKIE], normaliseEmail((request.body as { email: string }).email))

  server.addHook('onRoute', (route) => {
    const refuse = (beyond: typeof attempts) => async (request: FastifyRequest) => {
      const limit = await beyond(request)
      if (!limit.isAllowed && limit.isExceeded) throw tooMany(limit.ttlInSeconds)
    }
    // Refused before anything is read: a flood of guesses costs little more than its connections.
    const atOnce = (hook: (request: FastifyRequest) => Promise<void>) => {
      route.onRequest = [...[route.onRequest ?? []].flat(), hook]
    }
    if (route.url === '/api/contact') atOnce(refuse(contacts))
    if (!GUESSABLE.has(route.url)) return
    route.bodyLimit = GUESS_BYTES
    if (route.url !== '/api/user/login') return atOnce(refuse(attempts))
    // Guessers at the same address must not keep out whoever signs in where they always do: for whom a cookie speaks is
    // known once the e-mail is read.
    const hasCookie = (request: FastifyRequest) => request.cookies[BROWSER_COOKIE] !== undefined
    atOnce(async (request) => {
      if (!hasCookie(request)) await refuse(attempts)(request)
    })
    route.preHandler = async (request) => {
      if (hasCookie(request)) await refuse(browserNaming(request) === null ? attempts : ofBrowser)(request)
    }
  })
}
