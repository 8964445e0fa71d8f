import type { Letter } from '../../providers/mail.ts'
import { INVITATION_DAYS } from './invitation.ts'
import { passwordLetter } from './letter-layout.ts'

/** The letter that brings an invitation. */
export function invitationLetter(invited: {
  readonly invitation: string
  readonly email: string
  readonly organisation: string | null
  readonly link: string
}): Letter {
  const { invitation, email, organisation, link } = invited
  const where = organisation === null ? 'Trainyard' : `the labs of ${organisation}`
  return passwordLetter({
    key: `invitation-${invitation}`,
    to: email,
    subject: `Your invitation to ${where}`,
    paragraphs: [
      `You are invited to ${where}.`,
      'Choose a password and you are in; your machines are waiting for you.',
    ],
    link,
    afterLink: `The link works once, within ${INVITATION_DAYS} days, for ${email}. If you did not expect this letter, you can leave it be.`,
  })
}
