import type { Db } from '../../db/schema.ts'
import type { JobHandlers } from '../../jobs.ts'
import type { Mail } from '../../providers/mail.ts'
import type { Seal } from '../../secrets/seal.ts'
import { invitationLink, openInvitations } from './invitation.ts'
import { invitationEmail } from './invitation-email.ts'

export interface InvitationParts {
  readonly db: Db
  readonly mail: Mail
  readonly seal: Seal
  readonly publicUrl: string
}

/** Sends the email of an invitation that still stands; of one used, run out or gone there is nothing to send. */
export function sendInvitation({ db, mail, seal, publicUrl }: InvitationParts): JobHandlers['user.invite'] {
  return async ({ invitation }) => {
    const invited = await openInvitations(db)
      .innerJoin('portal_user', 'portal_user.id', 'invitation.user_id')
      .leftJoin('organisation', 'organisation.id', 'portal_user.organisation_id')
      .select(['portal_user.email', 'organisation.name as organisation'])
      .where('invitation.id', '=', invitation)
      .executeTakeFirst()
    if (invited === undefined) return
    await mail.send(invitationEmail({ ...invited, invitation, link: invitationLink(publicUrl, seal, invitation) }))
  }
}
