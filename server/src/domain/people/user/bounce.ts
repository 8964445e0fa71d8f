import { sql } from 'kysely'
import type { Db } from '../../../db/schema.ts'
import { MailRejectedError } from '../../../providers/mail.ts'

/** SQL query: the newest open invitation of the user `u`. */
export const NEWEST_INVITATION = sql<{ bounced_at: Date | null; bounce: string | null }>`(
  select bounced_at, bounce from invitation
  where user_id = u.id and purpose = 'invitation' and used_at is null and revoked_at is null
  order by created_at desc, id limit 1)`

/** Sends the email of an invitation. Stores the mail server's sentence if it permanently rejects the email. */
export async function sendOrRecordBounce(db: Db, invitation: string, send: Promise<void>): Promise<void> {
  try {
    await send
  } catch (thrown) {
    if (thrown instanceof MailRejectedError)
      await db
        .updateTable('invitation')
        .set({ bounced_at: sql<Date>`portal_now()`, bounce: thrown.reply })
        .where('id', '=', invitation)
        .where('used_at', 'is', null)
        .execute()
    throw thrown
  }
}
