import { DEFAULT_TIME_ZONE } from '@trainyard/platform/contract/words/limits.ts'
import type { Email } from '@trainyard/platform/server/mail/mail.ts'
import { linkEmail } from '@trainyard/users/server/link-email.ts'

export interface InvitedLabUser {
  readonly invitation: string
  readonly email: string
  readonly personalEmail: string
  readonly endsAt: Date
  readonly link: string
}

export interface LabTexts {
  readonly lab: string
  readonly signIn: string
  readonly portal: string
}

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: DEFAULT_TIME_ZONE })

/** Returns the e-mail. It contains no password: the link leads to the page that shows it. */
export const labEmail = ({ lab, signIn, portal }: LabTexts, invited: InvitedLabUser): Email =>
  linkEmail({
    key: `lab-${invited.invitation}`,
    to: invited.personalEmail,
    subject: `Your ${lab}`,
    paragraphs: [`An ${lab} is ready for you until ${day.format(invited.endsAt)}. ${signIn} ${invited.email}.`, portal],
    link: invited.link,
    afterLink: 'The link works once. If you did not expect this email, you can ignore it.',
  })
