import type {} from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Call } from '../../contract/call.ts'
import { KEY_PREFIX } from '../../contract/scope.ts'
import { SIGN_IN, type SecondFactorRule } from '../../contract/words/sign-in.ts'
import { unlessUpgraded } from '../db/lost.ts'
import type { Db } from '../db/schema.ts'
import type { Actor } from '../core/actor.ts'
import type { ApiKey, SessionUser } from '../core/handler.ts'
import { Problem, signedOut } from '../core/errors.ts'
import { ask } from '../core/events.ts'
import { keyOf, sessionOf } from '../core/identity.ts'
import type { SecondFactorDuty } from '../core/second-factor-duty.ts'
import { hashToken } from '../core/tokens.ts'

/** With the prefix `__Host-`, a sibling domain cannot replace the cookie. */
const cookieNamed = (name: string, https: boolean): string => `${https ? '__Host-' : ''}trainyard_${name}`
export const sessionCookie = (https: boolean): string => cookieNamed('session', https)
export const browserCookie = (https: boolean): string => cookieNamed('browser', https)
/** Binds a sign-in at an organisation's provider to the browser that started it. */
export const signInCookie = (https: boolean): string => cookieNamed('sign_in', https)

/**
 * Binds an LMS launch to the browser that started it, by its state, and later by its ticket. Each launch has a separate
 * cookie, so that two tabs can launch concurrently.
 */
export const launchCookie = (launch: string, https: boolean): string =>
  cookieNamed(`lti_${hashToken(launch).toString('hex').slice(0, 16)}`, https)

export interface Identity {
  readonly actor: Actor | null
  readonly sessionHash: Buffer | null
  /** True if another person set the password and the organisation requires users to change it. */
  readonly mustChangePassword: boolean
  readonly secondFactorDuty: SecondFactorDuty | null
  readonly sessionUser: SessionUser | null
  /** True if the user of the session has confirmed their identity recently. A sign-in counts as a confirmation. */
  readonly isConfirmed: boolean
  /** API key of the request; null if the request has a session, or neither. */
  readonly apiKey: ApiKey | null
}

export const ANONYMOUS: Identity = {
  actor: null,
  sessionHash: null,
  mustChangePassword: false,
  secondFactorDuty: null,
  sessionUser: null,
  isConfirmed: false,
  apiKey: null,
}

export const isApiKey = (token: string): boolean => token.startsWith(KEY_PREFIX)

const READING = new Set(['GET', 'HEAD'])

/**
 * Authenticates a request.
 * @param isUse false for requests that a browser repeats automatically; they do not keep a session alive
 */
export async function authenticate(
  db: Db,
  request: FastifyRequest,
  {
    cookieName,
    isUse,
    rule,
  }: {
    readonly cookieName: string
    readonly isUse: boolean
    readonly rule: SecondFactorRule
  },
): Promise<Identity> {
  const bearer = bearerOf(request.headers.authorization)
  if (bearer !== undefined && isApiKey(bearer)) {
    const found = await ask(db, keyOf, { token: bearer, address: request.ip, rule })
    if (found === null) return ANONYMOUS
    const { actor, key: apiKey, duty: secondFactorDuty } = found
    return { ...ANONYMOUS, actor, apiKey, secondFactorDuty, mustChangePassword: found.mustChangePassword }
  }
  const cookie = request.cookies[cookieName]
  if (bearer !== undefined && cookie !== undefined && bearer !== cookie) throw signedOut()
  const token = bearer ?? cookie
  if (token === undefined) return ANONYMOUS
  if (bearer === undefined && !READING.has(request.method) && !isSameOrigin(request)) {
    throw new Problem('forbidden', 'This request came from another site.')
  }
  const sessionHash = hashToken(token)
  const found = await ask(db, sessionOf, { hash: sessionHash, rule })
  if (found?.unseen && isUse && isAttended(request)) await unlessUpgraded(db, found.recordUse(db, request.ip))
  return {
    actor: found?.actor ?? null,
    sessionHash,
    mustChangePassword: found?.mustChangePassword ?? false,
    secondFactorDuty: found?.duty ?? null,
    sessionUser: found?.user ?? null,
    isConfirmed: found?.isConfirmed ?? false,
    apiKey: null,
  }
}

/** Returns true if the request has an API key, valid or not. */
export const hasApiKey = (request: FastifyRequest): boolean => isApiKey(bearerOf(request.headers.authorization) ?? '')

/**
 * Throws if the request has an API key that may not make the call. The header is that of rfc-editor.org/rfc/rfc6750.
 * @throws Problem forbidden
 */
export function requireScope({ public: operation }: Call, { apiKey }: Identity, reply: FastifyReply): void {
  if (apiKey === null) return
  if (operation === undefined)
    throw new Problem('forbidden', 'This call cannot be made with an API key. Please log in.')
  const { scope } = operation
  if (scope === null || apiKey.scopes.includes(scope)) return
  reply.header('www-authenticate', `Bearer error="insufficient_scope", scope="${scope}"`)
  throw new Problem('forbidden', `This API key lacks the scope ${scope}.`)
}

export function requireRole(
  { for: callers, instructors, before = [] }: Call,
  { actor, mustChangePassword, sessionUser }: Identity,
): void {
  if (callers === 'anyone') return
  if (actor === null) throw signedOut()
  if (mustChangePassword && !before.includes('new password')) {
    throw new Problem('passwordChange', 'Your password was set by someone else. Choose your own password first.')
  }
  if (callers === 'signed in' || callers.includes(actor.role)) return
  if (instructors !== true || sessionUser?.leadsClasses !== true) {
    throw new Problem('forbidden', 'Your access level does not include this.')
  }
}

/**
 * Throws if a call that changes how users sign in is made with a session whose user has not confirmed their identity
 * recently, so that an unattended browser cannot make it.
 * @throws Problem confirmFirst
 */
export function requireFreshProof({ proof }: Call, { isConfirmed }: Identity): void {
  if (proof === 'fresh' && !isConfirmed) throw new Problem('confirmFirst', SIGN_IN.confirm)
}

/** Returns the actor of a session, without checking the second-factor requirement. */
export const actorOfSession = async (db: Db, tokenHash: Buffer): Promise<Actor | null> =>
  (await ask(db, sessionOf, { hash: tokenHash, rule: 'optional' }))?.actor ?? null

/** Requests that a page marks as automatic do not reset the idle timeout. */
const isAttended = (request: FastifyRequest): boolean => request.headers['x-unattended'] === undefined

export async function findActor(
  db: Db,
  authorization: string | undefined,
  cookie: Buffer | null,
): Promise<Actor | null> {
  const bearer = bearerOf(authorization)
  const named = bearer === undefined ? cookie : hashToken(bearer)
  if (named === null || (cookie !== null && !cookie.equals(named))) return null
  return actorOfSession(db, named)
}

export function bearerOf(header: string | undefined): string | undefined {
  return header === undefined ? undefined : (/^Bearer ([\w.~+/=-]{1,200})$/i.exec(header)?.[1] ?? '')
}

/**
 * Returns true if the request comes from the portal's own page. Without Sec-Fetch-Site and Origin, a cookie alone does
 * not authorize changes.
 */
function isSameOrigin(request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  const origin = request.headers.origin
  return origin !== undefined && URL.parse(origin)?.host === request.headers.host
}
