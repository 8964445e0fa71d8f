import { normaliseEmail } from '@trainyard/contract/words/email.ts'
import type { FastifyInstance } from 'fastify'
import { Problem } from './problem.ts'

/** A whole classroom behind one address may log in within a minute. */
const ATTEMPTS_PER_ADDRESS = 300
/** Wrong passwords for one e-mail, whether it has an account or not. */
const FAILURES_PER_EMAIL = 10

/** The Contact Us form is open to all and leaves a row each time. */
const CONTACTS_PER_ADDRESS = 20

/** What takes a password or a token may be tried only so often a minute; other calls are not counted at all. */
const GUESSABLE = new Set(['/api/user/login', '/api/user/password', '/api/user/invitation'])

/** Must be called after the rate limiter is registered and before the calls are mounted. */
export function limitAttempts(server: FastifyInstance): void {
  const byAddress = server.createRateLimit({ max: ATTEMPTS_PER_ADDRESS, timeWindow: '1 minute' })
  const contacts = server.createRateLimit({ max: CONTACTS_PER_ADDRESS, timeWindow: '1 minute' })
  const byEmail = server.createRateLimit({
    max: FAILURES_PER_EMAIL,
    timeWindow: '1 minute',
    keyGenerator: (request) => normaliseEmail((request.body as { email: string }).email),
  })

  server.addHook('onRoute', (route) => {
    const attempts = GUESSABLE.has(route.url) ? byAddress : route.url === '/api/contact' ? contacts : null
    if (attempts === null) return
    route.preParsing = async (request) => {
      const limit = await attempts(request)
      if (!limit.isAllowed && limit.isExceeded) throw tooMany(limit.ttlInSeconds)
    }
    if (route.url !== '/api/user/login') return
    route.preHandler = async (request) => {
      const limit = await byEmail(request, { increment: false })
      if (!limit.isAllowed && limit.remaining === 0) throw tooMany(limit.ttlInSeconds)
    }
    route.onResponse = async (request, reply) => {
      if (reply.statusCode === 401) await byEmail(request)
    }
  })
}

const tooMany = (seconds: number): Problem =>
  new Problem('tooMany', 'Too many attempts. Please wait a moment and try again.', Math.max(1, seconds))
