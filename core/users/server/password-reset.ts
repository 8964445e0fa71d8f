import { job, EMAILS, type Run } from '@trainyard/platform/server/run/jobs/job.ts'
import { sql } from 'kysely'
import type { UserId } from '@trainyard/platform/contract/words/ids.ts'
import { sqlOf } from '@trainyard/platform/server/core/events.ts'
import { signsInBy } from './sign-in-ways.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { mailboxOf, type UserMailDependencies } from './user-mail.ts'
import { invitationLink, RESET_LINK_MINUTES, validInvitations, revokeLinks } from './invitation-link.ts'
import type { Email } from '@trainyard/platform/server/mail/mail.ts'
import { linkEmail } from './link-email.ts'

export const userForgot = job<{ readonly email: string; readonly link: string }>('user.forgot', EMAILS)

/** Maximum number of links per user within the lifetime of a link, so that the mailbox cannot be flooded. */
export const RESET_LINKS_MAX = 3

/**
 * Mails a reset link. The job does this work instead of the call, so that the call takes the same time for unknown
 * addresses.
 */
export function sendPasswordReset({ db, mail, seal, publicUrl }: UserMailDependencies): Run<typeof userForgot> {
  return async ({ email, link }) => {
    const user = await db.transaction().execute((tx) => addLink(tx, email, link))
    if (user === null || !(await startLifetime(db, link))) return
    const to = await mailboxOf(db, user.id, email)
    const login = { link: `${publicUrl}/login`, key: link, to }
    if (!user.passwordsAllowed) return mail.send(providerSignInEmail(login))
    if (!user.canLogIn && !(await isInvited(db, user.id))) return mail.send(invitationExpiredEmail(login))
    return mail.send(passwordResetEmail({ ...login, link: invitationLink(publicUrl, seal, link), email }))
  }
}

interface ResetUser {
  readonly id: UserId
  /** False for a user who has not accepted an invitation. */
  readonly canLogIn: boolean
  readonly passwordsAllowed: boolean
}

/** Stores a link; null if the user does not exist or has received too many links. */
async function addLink(tx: Tx, email: string, link: string): Promise<ResetUser | null> {
  // The user is locked, so that concurrent requests revoke each other's link in order.
  const user = await tx
    .selectFrom('portal_user')
    .leftJoin('organisation', 'organisation.id', 'portal_user.organisation_id')
    .select(['portal_user.id', 'portal_user.role', 'organisation.passwords_allowed'])
    .select(
      sql<boolean>`portal_user.password_hash is not null
        or ${sqlOf(signsInBy, { user: 'portal_user', way: 'credential' })}`.as('canLogIn'),
    )
    .where('portal_user.email', '=', email)
    .forUpdate('portal_user')
    .executeTakeFirst()
  if (user === undefined) return null
  const found = {
    id: user.id,
    canLogIn: user.canLogIn,
    passwordsAllowed: user.role === 'superadmin' || (user.passwords_allowed ?? true),
  }
  const before = await tx
    .selectFrom('invitation')
    .select(['id', sql<boolean>`created_at > portal_now() - make_interval(mins => ${RESET_LINK_MINUTES})`.as('recent')])
    .where('user_id', '=', user.id)
    .where('purpose', '=', 'password')
    .execute()
  // An earlier run stored the link, but its email failed.
  if (before.some(({ id }) => id === link)) return found
  if (before.filter(({ recent }) => recent).length >= RESET_LINKS_MAX) return null
  await revokeLinks(tx, user.id, 'password')
  await tx
    .insertInto('invitation')
    .values({ id: link, user_id: user.id, purpose: 'password', expires_at: resetExpiry })
    .execute()
  return found
}

/** Starts the lifetime of a link. Returns false if the link was used, revoked or deleted. */
async function startLifetime(db: Db, link: string): Promise<boolean> {
  const started = await db
    .updateTable('invitation')
    .set({ expires_at: resetExpiry })
    .where('id', '=', link)
    .where('used_at', 'is', null)
    .where('revoked_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return started !== undefined
}

const resetExpiry = sql<Date>`portal_now() + make_interval(mins => ${RESET_LINK_MINUTES})`

const isInvited = async (db: Db, user: UserId): Promise<boolean> =>
  (await validInvitations(db)
    .select('id')
    .where('user_id', '=', user)
    .where('purpose', '=', 'invitation')
    .executeTakeFirst()) !== undefined

interface EmailTarget {
  readonly key: string
  readonly to: string
  readonly link: string
}

const passwordResetEmail = ({ key, to, link, email }: EmailTarget & { readonly email: string }): Email =>
  linkEmail({
    key: `forgotten-${key}`,
    to,
    subject: 'Reset your password',
    paragraphs: [
      `We received a request to reset the password of ${email}.`,
      'If you made this request, choose a new password now.',
    ],
    link,
    afterLink: `The link works once, within ${RESET_LINK_MINUTES} minutes. A newer link replaces it. If you did not request this, you can ignore this email: your password does not change.`,
  })

const invitationExpiredEmail = ({ key, to, link }: EmailTarget): Email =>
  linkEmail({
    key: `forgotten-${key}`,
    to,
    subject: 'Your invitation to Trainyard has expired',
    paragraphs: [
      'We received a request to reset your password. You do not have a password yet, and your invitation has expired.',
      'Please ask your administrator for a new one.',
    ],
    link,
    button: 'Go to Login',
    afterLink: 'If you did not request this, you can ignore this email.',
  })

const providerSignInEmail = ({ key, to, link }: EmailTarget): Email =>
  linkEmail({
    key: `forgotten-${key}`,
    to,
    subject: 'Sign in with your organisation',
    paragraphs: [
      'We received a request to reset your password. Your organisation does not use passwords here. Sign in with its own provider.',
      'Enter your e-mail on the login page and choose “Sign in with your organisation”.',
    ],
    link,
    button: 'Go to Login',
    afterLink: 'If you did not request this, you can ignore this email.',
  })
