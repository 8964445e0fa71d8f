import { sql } from 'kysely'
import { emit } from '@trainyard/platform/server/core/events.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { MailRejectedError } from '@trainyard/platform/server/mail/mail.ts'
import { noticed } from './notices.ts'
import { bounceInvitation } from './queries.ts'

/** Sends the email of an invitation and stores its result. A rejection is stored with the mail server's sentence. */
export async function sendInvitationEmail(db: Db, invitation: string, send: Promise<void>): Promise<void> {
  try {
    await send
  } catch (thrown) {
    // A repeated job must not store a rejection of an e-mail that was delivered.
    if (thrown instanceof MailRejectedError)
      await db.transaction().execute((tx) => recordBounce(tx, invitation, thrown.reply))
    throw thrown
  }
  await db
    .updateTable('invitation')
    .set({ delivered_at: sql<Date>`portal_now()`, bounced_at: null, bounce: null })
    .where('id', '=', invitation)
    .where('delivered_at', 'is', null)
    .execute()
}

async function recordBounce(tx: Tx, invitation: string, reply: string): Promise<void> {
  const { rows } = await bounceInvitation(tx, invitation, reply)
  const [invited] = rows
  // Superadmins belong to no organisation. Their invitations are listed on the System Admin Panel.
  if (invited === undefined || invited.organisation === null) return
  const { user, email, role, organisation, training } = invited
  const audience = role === 'user' ? 'class' : 'superadmins'
  await emit(tx, noticed, [
    {
      audience,
      organisation,
      training,
      about: user,
      kind: 'invitation.bounced',
      text: `The invitation to ${email} was not delivered: ${reply}`,
      link: '/vm/class',
    },
  ])
}
