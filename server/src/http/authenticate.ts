import type {} from '@fastify/cookie'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Call } from '@trainyard/contract/call.ts'
import type { SecondFactorRule } from '@trainyard/contract/words/sign-in.ts'
import { keptStatement } from '../db/kept-statement.ts'
import type { Db } from '../db/schema.ts'
import type { Actor } from '../core/actor.ts'
import { Problem, signedOut } from '../core/errors.ts'
import { dutyColumns, dutyOf, type SecondFactorDuty } from '../core/second-factor-duty.ts'
import { sessionStands } from '../core/session-stands.ts'
import { hashToken } from '../core/tokens.ts'

/**
 * Returns a cookie's name. With the prefix, browsers take it from this very host alone, over https and for all paths: no
 * sibling of the domain can put one of its own in its place.
 * @param https true where people reach the portal by it
 */
const cookieNamed = (name: string, https: boolean): string => `${https ? '__Host-' : ''}trainyard_${name}`
export const sessionCookie = (https: boolean): string => cookieNamed('session', https)
/** Says who has signed in with this browser before; see domain/user/known-browser.ts. */
export const browserCookie = (https: boolean): string => cookieNamed('browser', https)
/** Binds a sign-in at an organisation's provider to the browser that began it; see domain/identity-provider/attempt.ts. */
export const signInCookie = (https: boolean): string => cookieNamed('sign_in', https)

export interface Identity {
  readonly actor: Actor | null
  readonly sessionHash: Buffer | null
  /** True where their organisation wants a password that somebody else gave to be changed, and this one is. */
  readonly mustChangePassword: boolean
  /** null: the person needs no second factor. */
  readonly secondFactorDuty: SecondFactorDuty | null
}

export const NOBODY: Identity = { actor: null, sessionHash: null, mustChangePassword: false, secondFactorDuty: null }

const READING = new Set(['GET', 'HEAD'])

/**
 * Returns the identity behind a request, by bearer or by cookie; where both come they must be the same session.
 * @param isUse false of what a browser asks again by itself: it keeps no session alive
 * @param rule of the installation for second factors
 */
export async function authenticate(
  db: Db,
  request: FastifyRequest,
  {
    cookieName,
    isUse,
    rule,
  }: { readonly cookieName: string; readonly isUse: boolean; readonly rule: SecondFactorRule },
): Promise<Identity> {
  const bearer = bearerOf(request.headers.authorization)
  const cookie = request.cookies[cookieName]
  if (bearer !== undefined && cookie !== undefined && bearer !== cookie) throw signedOut()
  const token = bearer ?? cookie
  if (token === undefined) return NOBODY
  if (bearer === undefined && !READING.has(request.method) && !isSameOrigin(request)) {
    throw new Problem('forbidden', 'This change was asked for by another site.')
  }
  const sessionHash = hashToken(token)
  const found = await lookUp(db, sessionHash, rule)
  if (found?.unseen && isUse && isAttended(request)) await noteSeen(db, sessionHash, request.ip)
  return {
    actor: found?.actor ?? null,
    sessionHash,
    mustChangePassword: found?.mustChangePassword ?? false,
    secondFactorDuty: found?.duty ?? null,
  }
}

/** The role check of every call: the first of the three places in which a call is allowed. */
export function admit({ roles: callers, settlesAccount }: Call, { actor, mustChangePassword }: Identity): void {
  if (callers === 'anyone') return
  if (actor === null) throw signedOut()
  if (mustChangePassword && !settlesAccount) {
    throw new Problem('passwordChange', 'Your password was given to you. Choose one of your own first.')
  }
  if (callers !== 'signed in' && !callers.includes(actor.role)) {
    throw new Problem('forbidden', 'Your access level does not include this.')
  }
}

/** Returns the actor of a session; null when it is nobody's, or over. A duty is judged where calls are made. */
export const actorOf = async (db: Db, tokenHash: Buffer): Promise<Actor | null> =>
  (await lookUp(db, tokenHash, 'optional'))?.actor ?? null

/** Notes that a session is used, and from where; once a minute is enough, see docs/decisions/090. */
export async function noteSeen(db: Db, tokenHash: Buffer, address: string): Promise<void> {
  await db
    .updateTable('session')
    .set({ seen_at: sql<Date>`portal_now()`, address })
    .where('token_hash', '=', tokenHash)
    .where(unseen)
    .execute()
}

/** A page says so of what it asks by itself while nobody touches it: an idle limit does not wait for that. */
const isAttended = (request: FastifyRequest): boolean => request.headers['x-unattended'] === undefined

/** True of a session of which nothing was noted for a minute. */
const unseen = sql<boolean>`session.seen_at <= portal_now() - interval '1 minute'`

interface LookedUp {
  readonly actor: Actor
  readonly unseen: boolean
  readonly mustChangePassword: boolean
  readonly duty: SecondFactorDuty | null
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
      'organisation.id as organisation_id',
      'organisation.name',
      'organisation.time_zone',
      'organisation.logo',
      unseen.as('unseen'),
      sql<boolean>`portal_user.password_given and coalesce(organisation.password_change_required, false)`.as(
        'must_change_password',
      ),
      ...dutyColumns(rule),
    ])
    .where('session.token_hash', '=', tokenHash)
    .where(sessionStands())

const keptBy = (rule: SecondFactorRule) =>
  keptStatement(`session where second factors are ${rule}`, (db, hash) => sessionOf(db, hash, rule))
const KEPT = { optional: keptBy('optional'), required: keptBy('required') }

/** Returns the actor of a session that stands. */
async function lookUp(db: Db, tokenHash: Buffer, rule: SecondFactorRule): Promise<LookedUp | null> {
  const row = await KEPT[rule](db, tokenHash)
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
  }
}

/**
 * Returns who asks where a session that stands is named, also in calls that anyone may make; null for everybody else.
 * @param authorization the header of that name
 * @param cookie sha256 of the session that the browser's cookie names
 */
export async function recognised(
  db: Db,
  authorization: string | undefined,
  cookie: Buffer | null,
): Promise<Actor | null> {
  const bearer = bearerOf(authorization)
  const named = bearer === undefined ? cookie : hashToken(bearer)
  if (named === null || (cookie !== null && !cookie.equals(named))) return null
  return actorOf(db, named)
}

function bearerOf(header: string | undefined): string | undefined {
  return header === undefined ? undefined : (/^Bearer ([\w.~+/=-]{1,200})$/i.exec(header)?.[1] ?? '')
}

/** Browsers say where a request comes from; one that doesn't say may not change things by cookie alone. */
function isSameOrigin(request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  const origin = request.headers.origin
  return origin !== undefined && URL.parse(origin)?.host === request.headers.host
}
