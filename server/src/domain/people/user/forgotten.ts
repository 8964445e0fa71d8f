import { sql } from 'kysely'
import type { UserId } from '@trainyard/contract/words/ids.ts'
import type { Db, Tx } from '../../../db/schema.ts'
import type { JobHandlers } from '../../../jobs/jobs.ts'
import type { AccountMailParts } from './account-mail.ts'
import { forgottenEmail, invitationRanOutEmail, signInElsewhereEmail } from './forgotten-email.ts'
import { invitationLink, LINK_MINUTES, openInvitations, revokeLinks } from './invitation.ts'

/** Links that one account is sent within those minutes, so that nobody fills a person's mailbox. */
export const LINKS_AT_ONCE = 3

/**
 * Sends a link that sets another password to who has an account; the newest ends those before. All of it happens here
 * and not in the call, so that the call takes no longer for an address that somebody has. The link's time begins when
 * it is sent: a mail server that is down for an hour takes nothing of it.
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

/** Adds the link, once. null: there is no such account, or it was sent enough for now. */
async function addLink(tx: Tx, email: string, link: string): Promise<Forgetful | null> {
  // Locked: of two that ask at once one is the newest.
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
  // Its email could not be sent the last time.
  if (before.some(({ id }) => id === link)) return forgetful
  if (before.filter(({ recent }) => recent).length >= LINKS_AT_ONCE) return null
  await revokeLinks(tx, user.id, 'password')
  await tx
    .insertInto('invitation')
    .values({ id: link, user_id: user.id, purpose: 'password', expires_at: inTime })
    .execute()
  return forgetful
}

/** Lets a link's time begin; false where it is used, taken back or gone. */
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
