import type { JobHandlers } from '../../../jobs/jobs.ts'
import type { AccountMailParts } from './account-mail.ts'
import { sendOrRecordBounce } from './bounce.ts'
import { invitationLink, validInvitations, INVITATION_DAYS } from './invitation.ts'
import type { Email } from '../../../providers/mail.ts'
import { passwordEmail } from './password-email.ts'

export function sendInvitation({ db, mail, seal, publicUrl, mailboxOf }: AccountMailParts): JobHandlers['user.invite'] {
  return async ({ invitation }) => {
    const invited = await validInvitations(db)
      .innerJoin('portal_user', 'portal_user.id', 'invitation.user_id')
      .leftJoin('organisation', 'organisation.id', 'portal_user.organisation_id')
      .select(['portal_user.id', 'portal_user.email', 'portal_user.name', 'organisation.name as organisation'])
      .where('invitation.id', '=', invitation)
      .executeTakeFirst()
    if (invited === undefined) return
    const { id, email, name, organisation } = invited
    const to = (await mailboxOf(db, id)) ?? email
    const link = invitationLink(publicUrl, seal, invitation)
    const words = invitationEmail({ to, email, name, organisation, invitation, link })
    await sendOrRecordBounce(db, invitation, mail.send(words))
  }
}

function invitationEmail(invited: {
  readonly invitation: string
  readonly to: string
  readonly email: string
  readonly name: string | null
  readonly organisation: string | null
  readonly link: string
}): Email {
  const { invitation, to, email, name, organisation, link } = invited
  const where = organisation === null ? 'Trainyard' : `the labs of ${organisation}`
  return passwordEmail({
    key: `invitation-${invitation}`,
    to,
    name,
    subject: `Your invitation to ${where}`,
    paragraphs: [`You are invited to ${where}.`, 'Choose a password to sign in and use your machines.'],
    link,
    afterLink: `The link works once, within ${INVITATION_DAYS} days, for ${email}. If you did not expect this email, you can ignore it.`,
  })
}
