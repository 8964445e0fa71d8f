import { sql } from 'kysely'
import type { Db } from '../../db/schema.ts'
import type { JobHandlers } from '../../jobs.ts'
import type { Mail } from '../../providers/mail.ts'
import type { Seal } from '../../secrets/seal.ts'
import { invitationLink } from './invitation.ts'
import { invitationLetter } from './letter.ts'

/** Sends the letter of an invitation that still stands; of one used, run out or gone there is nothing to send. */
export function sendInvitation(given: {
  readonly db: Db
  readonly mail: Mail
  readonly seal: Seal
  readonly publicUrl: string
}): JobHandlers['user.invite'] {
  return async ({ invitation }) => {
    const invited = await given.db
      .selectFrom('invitation')
      .innerJoin('portal_user', 'portal_user.id', 'invitation.user_id')
      .leftJoin('organisation', 'organisation.id', 'portal_user.organisation_id')
      .select(['portal_user.email', 'organisation.name as organisation'])
      .where('invitation.id', '=', invitation)
      .where('invitation.used_at', 'is', null)
      .where('invitation.expires_at', '>', sql<Date>`portal_now()`)
      .executeTakeFirst()
    if (invited === undefined) return
    const link = invitationLink(given.publicUrl, given.seal, invitation)
    await given.mail.send(invitationLetter({ ...invited, invitation, link }))
  }
}
