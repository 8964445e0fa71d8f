import { sql } from 'kysely'
import type { UserId } from '@trainyard/contract/words/ids.ts'
import type { Db, Tx } from '../../../db/schema.ts'
import type { JobHandlers } from '../../../jobs/jobs.ts'
import type { AccountMailParts } from './account-mail.ts'
import { forgottenEmail, invitationRanOutEmail, signInElsewhereEmail } from './forgotten-email.ts'
import { invitationLink, LINK_MINUTES, openInvitations, revokeLinks } from './invitation.ts'

/**
 * Maximum number of links that one account receives within the lifetime of a link, so that the mailbox cannot be
 * flooded.
 */
export const LINKS_AT_ONCE = 3

/**
 * Sends a password reset link if the account exists, and revokes earlier links. All of this happens in the job and not
 * in the call, so that the call takes the same time for unknown addresses. The link's lifetime starts when it is sent,
 * so an unavailable mail server does not shorten it.
 */
export function sendForgotten({ db, mail, seal, publicUrl, mailboxOf }: AccountMailParts): JobHandlers['user.forgot'] {
  return async ({ email, link }) => {
    const user = await db.transaction().execute((tx) => addLink(tx, email, link))
    if (user === null || !(await beginTime(db, link))) return
    const to = (await mailboxOf(db, user.id)) ?? email
    const login = { link: `${publicUrl}/login`, key: link, to }
    if (!user.passwordsAllowed) return mail.send(signInElsewhereEmail(login))
    if (!user.hasPassword && !(await isInvited(db, user.id))) return mail.send(invitationRanOutEmail(login))
    return mail.send(forgottenEmail({ ...login, link: invitationLink(publicUrl, seal, link), email }))
  }
}

interface Forgetful {
  readonly id: UserId
  readonly hasPassword: boolean
  readonly passwordsAllowed: boolean
}

/**
 * Stores the link unless the job has already stored it. Returns null if the account does not exist or has received too
 * many links.
 */
async function addLink(tx: Tx, email: string, link: string): Promise<Forgetful | null> {
  // Locked, so that concurrent requests revoke each other's link in order.
  const user = await tx
    .selectFrom('portal_user')
    .leftJoin('organisation', 'organisation.id', 'portal_user.organisation_id')
    .select(['portal_user.id', 'portal_user.password_hash', 'portal_user.role', 'organisation.passwords_allowed'])
    .where('portal_user.email', '=', email)
    .forUpdate('portal_user')
    .executeTakeFirst()
  if (user === undefined) return null
  const forgetful = {
    id: user.id,
    hasPassword: user.password_hash !== null,
    passwordsAllowed: user.role === 'superadmin' || (user.passwords_allowed ?? true),
  }
  const before = await tx
    .selectFrom('invitation')
    .select(['id', sql<boolean>`created_at > portal_now() - make_interval(mins => ${LINK_MINUTES})`.as('recent')])
    .where('user_id', '=', user.id)
    .where('purpose', '=', 'password')
    .execute()
  // The link was stored by an earlier run whose email failed.
  if (before.some(({ id }) => id === link)) return forgetful
  if (before.filter(({ recent }) => recent).length >= LINKS_AT_ONCE) return null
  await revokeLinks(tx, user.id, 'password')
  await tx
    .insertInto('invitation')
    .values({ id: link, user_id: user.id, purpose: 'password', expires_at: inTime })
    .execute()
  return forgetful
}

/** Starts the lifetime of a link. Returns false if it has been used, revoked or deleted. */
async function beginTime(db: Db, link: string): Promise<boolean> {
  const begun = await db
    .updateTable('invitation')
    .set({ expires_at: inTime })
    .where('id', '=', link)
    .where('used_at', 'is', null)
    .where('revoked_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return begun !== undefined
}

const inTime = sql<Date>`portal_now() + make_interval(mins => ${LINK_MINUTES})`

const isInvited = async (db: Db, user: UserId): Promise<boolean> =>
  (await openInvitations(db)
    .select('id')
    .where('user_id', '=', user)
    .where('purpose', '=', 'invitation')
    .executeTakeFirst()) !== undefined
