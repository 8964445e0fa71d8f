import type { Email } from '../../../providers/mail.ts'
import { INVITATION_DAYS } from './invitation.ts'
import { passwordEmail } from './password-email.ts'

export function invitationEmail(invited: {
  readonly invitation: string
  readonly to: string
  readonly email: string
  readonly organisation: string | null
  readonly link: string
}): Email {
  const { invitation, to, email, organisation, link } = invited
  const where = organisation === null ? 'Trainyard' : `the labs of ${organisation}`
  return passwordEmail({
    key: `invitation-${invitation}`,
    to,
    subject: `Your invitation to ${where}`,
    paragraphs: [`You are invited to ${where}.`, 'Choose a password to sign in and use your machines.'],
    link,
    afterLink: `The link works once, within ${INVITATION_DAYS} days, for ${email}. If you did not expect this email, you can ignore it.`,
  })
}
