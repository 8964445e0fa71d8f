import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { LMS } from '../contract/lms-words.ts'
import type { LmsCourseId } from '@trainyard/platform/contract/words/ids.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { Problem } from '@trainyard/platform/server/core/errors.ts'
import { hashToken, SIGN_IN_SECONDS } from '@trainyard/platform/server/core/tokens.ts'
import type { Seal } from '@trainyard/platform/server/run/secrets/seal.ts'
import type { Launch } from './claims.ts'
import type { Platform } from './platform.ts'
import { insertDeployment } from './queries.ts'

/** Lifetime in seconds of the ticket of a completed launch, which opens one session in its browser. */
export const TICKET_SECONDS = 3_600

/** Lifetime in seconds of a ticket that a new tab uses at once. Any browser can use such a ticket. */
export const HAND_OVER_SECONDS = 60

export const newSecret = (): string => randomBytes(32).toString('base64url')

/** Returns the nonce of a launch. It is derived from the state, so that a token of another launch is refused. */
export const nonceOf = (seal: Seal, state: string): string => seal.token('lti nonce', state)

/** Stores a started launch with the hashes of its state and proof. */
export async function storeLaunch(
  tx: Tx,
  platform: Platform,
  { state, proof }: { readonly state: string; readonly proof: string },
): Promise<void> {
  await tx
    .insertInto('lms_launch')
    .values({
      state_hash: hashToken(state),
      platform_id: platform.id,
      organisation_id: platform.organisation,
      proof_hash: hashToken(proof),
      expires_at: sql<Date>`portal_now() + make_interval(secs => ${SIGN_IN_SECONDS})`,
    })
    .execute()
}

/**
 * Deletes a launch before its token is verified, so that a replayed token is refused. Requires the proof, which only
 * the browser that started the launch has.
 * @throws Problem forbidden
 */
export async function consumeLaunch(
  db: Db,
  platform: Platform,
  { state, proofs }: { readonly state: string; readonly proofs: readonly string[] },
): Promise<void> {
  const taken = await db
    .deleteFrom('lms_launch')
    .where('state_hash', '=', hashToken(state))
    .where('platform_id', '=', platform.id)
    // The random value avoids an empty list, which is not valid SQL.
    .where('proof_hash', 'in', [...proofs, newSecret()].map(hashToken))
    .returning(sql<boolean>`expires_at > portal_now()`.as('open'))
    .executeTakeFirst()
  if (taken?.open !== true) throw new Problem('forbidden', LMS.expired)
}

/** Records an unknown deployment, so that an admin can accept it. @throws Problem forbidden unless it is accepted */
export async function requireDeployment(db: Db, platform: Platform, deployment: string): Promise<void> {
  const row = await db
    .selectFrom('lms_deployment')
    .select('accepted_at')
    .where('platform_id', '=', platform.id)
    .where('deployment_id', '=', deployment)
    .executeTakeFirst()
  if (row?.accepted_at != null) return
  if (row === undefined) {
    await insertDeployment(db, platform.id, platform.organisation, deployment)
  }
  throw new Problem('forbidden', LMS.deployment(deployment))
}

/**
 * Stores the course of a launch, so that an admin can connect it. Returns the course's ID and training. The training is
 * null if the course is not connected.
 */
export async function recordCourse(db: Db, platform: Platform, { deployment, course }: Launch) {
  const values = {
    platform_id: platform.id,
    organisation_id: platform.organisation,
    deployment_id: deployment,
    context_id: course.id,
    title: course.title,
    memberships_url: course.membershipsUrl,
    roster_due_at: course.membershipsUrl === null ? null : sql<Date>`portal_now()`,
  }
  const { id, training_id } = await db
    .insertInto('lms_course')
    .values(values)
    .onConflict((on) =>
      on.columns(['platform_id', 'deployment_id', 'context_id']).doUpdateSet({
        title: values.title,
        memberships_url: values.memberships_url,
        // The members are read after each launch, at most once a minute. After a failure, the scheduled retry does not
        // change.
        roster_due_at: sql<Date | null>`case when excluded.memberships_url is null then null
          when lms_course.roster_attempts > 0 then coalesce(lms_course.roster_due_at, portal_now())
          else greatest(portal_now(), lms_course.roster_read_at + interval '1 minute') end`,
        seen_at: sql<Date>`portal_now()`,
      }),
    )
    .returning(['id', 'training_id'])
    .executeTakeFirstOrThrow()
  return { id, training: training_id }
}

/**
 * Stores a verified launch. Returns the token with which the page continues the launch.
 * @param proof cookie of the browser; null if it blocks cookies in the LMS's frame
 */
export async function storeTicket(
  tx: Tx,
  platform: Platform,
  launch: Launch,
  { course, proof }: { readonly course: LmsCourseId; readonly proof: string | null },
): Promise<string> {
  const token = newSecret()
  await tx
    .insertInto('lms_ticket')
    .values({
      token_hash: hashToken(token),
      platform_id: platform.id,
      organisation_id: platform.organisation,
      issuer: platform.issuer,
      subject: launch.subject,
      name: launch.name,
      email: launch.email,
      is_instructor: launch.isInstructor,
      takes_seat: launch.takesSeat,
      course_id: course,
      view: launch.view,
      return_url: launch.deepLink?.returnUrl ?? null,
      return_data: launch.deepLink?.data ?? null,
      proof_hash: proof === null ? null : hashToken(proof),
      // A ticket that any browser can use is valid only as long as its page needs.
      expires_at: sql<Date>`portal_now() + make_interval(secs => ${proof === null ? SIGN_IN_SECONDS : TICKET_SECONDS})`,
    })
    .execute()
  return token
}

type LaunchCookieOf = (launch: string) => string | undefined

/**
 * Returns the verified launch of a token.
 * @throws Problem forbidden for an unknown, used or expired token, and for one of another browser
 */
export async function readTicket(db: Db, token: string, launchCookie: LaunchCookieOf) {
  const ticket = await db
    .selectFrom('lms_ticket')
    .selectAll()
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '>', sql<Date>`portal_now()`)
    .executeTakeFirst()
  if (ticket === undefined || !isOfBrowser(ticket, launchCookie(token))) throw new Problem('forbidden', LMS.ticket)
  return ticket
}

export type Ticket = Awaited<ReturnType<typeof readTicket>>

const isOfBrowser = ({ proof_hash }: { readonly proof_hash: Buffer | null }, cookie: string | undefined): boolean =>
  proof_hash === null || (cookie !== undefined && hashToken(cookie).equals(proof_hash))

/** Returns the verified launch of a token and deletes it, because a launch opens one session. @throws as `readTicket` */
export async function useTicket(tx: Tx, token: string, launchCookie: LaunchCookieOf) {
  const ticket = await readTicket(tx, token, launchCookie)
  // A suspension locks the LMS before it deletes tickets and sessions. In another order, both would deadlock.
  await tx.selectFrom('lms_platform').select('id').where('id', '=', ticket.platform_id).forKeyShare().execute()
  const { numDeletedRows } = await tx
    .deleteFrom('lms_ticket')
    .where('token_hash', '=', ticket.token_hash)
    .executeTakeFirst()
  // A concurrent request used it.
  if (numDeletedRows === 0n) throw new Problem('forbidden', LMS.ticket)
  return ticket
}

/**
 * Stores a used ticket again, without a cookie, because a new tab does not share the cookies of the LMS's frame. Returns
 * the new token, which expires no later than the first one.
 */
export async function handOverTicket(tx: Tx, ticket: Ticket, seconds: number): Promise<string> {
  const handedOver = newSecret()
  await tx
    .insertInto('lms_ticket')
    .values({
      ...ticket,
      token_hash: hashToken(handedOver),
      proof_hash: null,
      expires_at: sql<Date>`least(${ticket.expires_at}, portal_now() + make_interval(secs => ${seconds}))`,
    })
    .execute()
  return handedOver
}

/** Stores the LMS that opened a session. */
export async function nameLms(tx: Tx, session: Buffer, platform: Platform['id']): Promise<void> {
  await tx.updateTable('session').set({ lms_platform_id: platform }).where('token_hash', '=', session).execute()
}

/** Deletes the tickets of an LMS and the sessions that it opened. Callers lock the LMS first. */
export async function endAccessThrough(tx: Tx, platform: Platform['id']): Promise<void> {
  await tx.deleteFrom('lms_ticket').where('platform_id', '=', platform).execute()
  await tx.deleteFrom('session').where('lms_platform_id', '=', platform).execute()
}

export async function deleteExpiredLaunches(tx: Tx): Promise<void> {
  for (const table of ['lms_launch', 'lms_ticket'] as const) {
    await tx
      .deleteFrom(table)
      .where('expires_at', '<', sql<Date>`portal_now()`)
      .execute()
  }
}
