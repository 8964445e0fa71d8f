import type { JobHandlers } from '../../../jobs/jobs.ts'
import type { AccountMailParts } from './account-mail.ts'
import { invitationLink, validInvitations } from './invitation.ts'
import { invitationEmail } from './invitation-email.ts'

/** Mails an invitation. Skips it if it has been used, has expired or was deleted. */
export function sendInvitation({ db, mail, seal, publicUrl, mailboxOf }: AccountMailParts): JobHandlers['user.invite'] {
  return async ({ invitation }) => {
    const invited = await validInvitations(db)
      .innerJoin('portal_user', 'portal_user.id', 'invitation.user_id')
      .leftJoin('organisation', 'organisation.id', 'portal_user.organisation_id')
      .select(['portal_user.id', 'portal_user.email', 'organisation.name as organisation'])
      .where('invitation.id', '=', invitation)
      .executeTakeFirst()
    if (invited === undefined) return
    const { id, email, organisation } = invited
    const to = (await mailboxOf(db, id)) ?? email
    const link = invitationLink(publicUrl, seal, invitation)
    await mail.send(invitationEmail({ to, email, organisation, invitation, link }))
  }
}
