import { DEFAULT_TIME_ZONE } from '@trainyard/contract/words/limits.ts'
import type { Letter } from '../../providers/mail.ts'
import { passwordLetter } from '../user/letter-layout.ts'

export interface InvitedLabUser {
  readonly invitation: string
  readonly email: string
  readonly personalEmail: string
  readonly endsAt: Date
  readonly link: string
}

/** What is said of each provider's labs. */
export interface LabWords {
  readonly lab: string
  /** What the sign-in name follows. */
  readonly signIn: string
  readonly portal: string
}

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: DEFAULT_TIME_ZONE })

/** The letter to a new lab user's personal address. It holds no password: the link leads to where both are found. */
export const labLetter = ({ lab, signIn, portal }: LabWords, invited: InvitedLabUser): Letter =>
  passwordLetter({
    key: `lab-${invited.invitation}`,
    to: invited.personalEmail,
    subject: `Your ${lab}`,
    paragraphs: [
      `An ${lab} is ready for you, until ${day.format(invited.endsAt)}. ${signIn} ${invited.email}.`,
      portal,
    ],
    link: invited.link,
    afterLink: 'The link works once. If you did not expect this letter, you can leave it be.',
  })
