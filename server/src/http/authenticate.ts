import type {} from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Call } from '@trainyard/contract/call.ts'
import { CONFIRMED_MINUTES, SECOND_FACTOR } from '@trainyard/contract/words/second-factor.ts'
import type { SecondFactorRule } from '@trainyard/contract/words/sign-in.ts'
import { preparedStatement } from '../db/prepared-statement.ts'
import type { Db } from '../db/schema.ts'
import type { Actor } from '../core/actor.ts'
import type { SessionUser } from '../core/handler.ts'
import { type ApiKey, findApiKey, isApiKey } from '../core/api-key.ts'
import { Problem, signedOut } from '../core/errors.ts'
import { dutyColumns, dutyOf, type SecondFactorDuty } from '../core/second-factor-duty.ts'
import { mustChangePassword, sessionIsValid } from '../core/valid-session.ts'
import type { SessionCache } from './session-cache.ts'
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

const READING = new Set(['GET', 'HEAD'])

/**
 * Authenticates a request.
 * @param isUse false for requests that a browser repeats automatically; they do not keep a session alive
 * @param cache of sessions, for calls that only read
 */
export async function authenticate(
  db: Db,
  request: FastifyRequest,
  {
    cookieName,
    isUse,
    rule,
    cache,
  }: {
    readonly cookieName: string
    readonly isUse: boolean
    readonly rule: SecondFactorRule
    readonly cache?: SessionCache<FoundSession> | null
  },
): Promise<Identity> {
  const bearer = bearerOf(request.headers.authorization)
  if (bearer !== undefined && isApiKey(bearer)) {
    const found = await findApiKey(db, bearer, { address: request.ip, rule })
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
  const read = () => findSession(db, sessionHash, rule)
  const found = cache ? await cache.find(sessionHash.toString('base64'), read, isCacheable) : await read()
  if (found?.unseen && isUse && isAttended(request)) {
    found.unseen = false
    await recordSessionUse(db, sessionHash, request.ip)
  }
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
  if (proof === 'fresh' && !isConfirmed) throw new Problem('confirmFirst', SECOND_FACTOR.confirm)
}

/** Returns the actor of a session, without checking the second-factor requirement. */
export const actorOfSession = async (db: Db, tokenHash: Buffer): Promise<Actor | null> =>
  (await findSession(db, tokenHash, 'optional'))?.actor ?? null

/** Records the time and address of the last use of a session, at most once a minute, see docs/decisions/090. */
export async function recordSessionUse(db: Db, tokenHash: Buffer, address: string): Promise<void> {
  await db
    .updateTable('session')
    .set({ seen_at: sql<Date>`portal_now()`, address })
    .where('token_hash', '=', tokenHash)
    .where(unseen)
    .execute()
}

/** Requests that a page marks as automatic do not reset the idle timeout. */
const isAttended = (request: FastifyRequest): boolean => request.headers['x-unattended'] === undefined

const unseen = sql<boolean>`session.seen_at <= portal_now() - interval '1 minute'`

/** Returns false while the user must change the password or set up a second factor: that restriction must end at once. */
const isCacheable = ({ mustChangePassword, duty }: FoundSession): boolean =>
  !mustChangePassword && duty?.state !== 'overdue'

export interface FoundSession {
  readonly actor: Actor
  unseen: boolean
  readonly mustChangePassword: boolean
  readonly duty: SecondFactorDuty | null
  readonly user: SessionUser
  readonly isConfirmed: boolean
}

const sessionOf = (db: Db, tokenHash: Buffer, rule: SecondFactorRule) =>
  db
    .selectFrom('session')
    .innerJoin('portal_user', 'portal_user.id', 'session.user_id')
    .leftJoin('organisation', 'organisation.id', 'portal_user.organisation_id')
    .select([
      'portal_user.id',
      'portal_user.email',
      'portal_user.role',
      'portal_user.name as user_name',
      'organisation.id as organisation_id',
      'organisation.name',
      'organisation.time_zone',
      'organisation.logo',
      unseen.as('unseen'),
      sql<boolean>`coalesce(
        session.confirmed_at > portal_now() - make_interval(mins => ${sql.lit(CONFIRMED_MINUTES)}), false)`.as(
        'confirmed',
      ),
      mustChangePassword.as('must_change_password'),
      sql<boolean>`exists (select from training_instructor where training_instructor.user_id = portal_user.id)`.as(
        'leads_classes',
      ),
      ...dutyColumns(rule),
    ])
    .where('session.token_hash', '=', tokenHash)
    .where(sessionIsValid())

const sessionQuery = (rule: SecondFactorRule) =>
  preparedStatement(`session where second factors are ${rule}`, (db, hash) => sessionOf(db, hash, rule))
const SESSION_QUERIES = { optional: sessionQuery('optional'), required: sessionQuery('required') }

async function findSession(db: Db, tokenHash: Buffer, rule: SecondFactorRule): Promise<FoundSession | null> {
  const row = await SESSION_QUERIES[rule](db, tokenHash)
  if (row === undefined) return null
  const { id, email, role } = row
  const organisation =
    row.organisation_id === null
      ? null
      : { id: row.organisation_id, name: row.name!, timeZone: row.time_zone!, logo: row.logo }
  return {
    actor: { id, email, role, organisation },
    unseen: row.unseen,
    mustChangePassword: row.must_change_password,
    duty: dutyOf(row),
    user: { name: row.user_name, leadsClasses: row.leads_classes },
    isConfirmed: row.confirmed,
  }
}

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
