import type { RegistrationLinkId } from '@trainyard/platform/contract/words/ids.ts'
import { job, EMAILS, type Run } from '@trainyard/platform/server/run/jobs/job.ts'
import { normaliseEmail } from '@trainyard/platform/contract/words/email.ts'
import { formatCode, JOIN_PATH } from '../contract/registration-words.ts'
import type { UserMailDependencies } from '@trainyard/users/server/user-mail.ts'
import { linkEmail, type LinkEmail } from '@trainyard/users/server/link-email.ts'
import { addEmail, confirmationToken, type Recipient } from './registered-user.ts'
import { codeOf, joinUrl, type Link, linkWithId } from './link.ts'
import { EMAIL_MINUTES } from './queries.ts'
import { registrationOf, registrationDecided } from './seat.ts'

export const registrationAccount = job<{
  readonly request: string
  readonly link: RegistrationLinkId
  readonly email: string
}>('registration.account', EMAILS)

/**
 * Sends the e-mail of a registration. The job looks up the user instead of the request handler, so that the
 * response time does not reveal whether the address belongs to a user.
 */
export function sendRegistrationEmail({
  db,
  mail,
  seal,
  publicUrl,
}: UserMailDependencies): Run<typeof registrationAccount> {
  return async ({ request: id, link: linkId, email: entered }) => {
    const email = normaliseEmail(entered)
    const link = await linkWithId(db, linkId)
    const code = link === undefined ? null : codeOf(seal, link)
    if (link === undefined || link.state === 'revoked' || code === null) return
    const recipient = await db.transaction().execute((tx) => addEmail(tx, link, { id, email }))
    if (recipient === null) return
    const page = joinUrl(publicUrl, code)
    const words: Record<Recipient, Words> = {
      new: {
        paragraphs: [
          `You can register for ${link.training} of ${link.organisation}.`,
          'Choose a password to create your account and take your seat.',
        ],
        button: 'Create your account',
        // The token is in the fragment, so that it does not appear in server logs or referrers.
        link: `${page}#confirm=${confirmationToken(seal, id)}`,
        afterLink: `The link works once, within ${EMAIL_MINUTES} minutes, for ${email}. If you did not request this e-mail, you can ignore it.`,
      },
      known: {
        paragraphs: [
          `You can register for ${link.training} of ${link.organisation}.`,
          'You have an account already. Log in to take your seat. If you do not know your password, choose Forgot Password there.',
        ],
        button: 'Log in',
        link: `${publicUrl}/login?next=${encodeURIComponent(`${JOIN_PATH}${formatCode(code)}`)}`,
        afterLink: 'If you did not request this e-mail, you can ignore it.',
      },
      foreign: {
        paragraphs: [
          `${email} cannot register for ${link.training} of ${link.organisation}, because the address belongs to another organisation.`,
          'Register with another address, or ask the instructor of the training.',
        ],
        button: 'Open the registration page',
        link: page,
        afterLink: 'If you did not request this e-mail, you can ignore it.',
      },
    }
    await mail.send(
      linkEmail({
        key: `registration-${id}`,
        to: email,
        subject: `Register for ${link.training}`,
        ...words[recipient],
      }),
    )
  }
}

type Words = Pick<LinkEmail, 'paragraphs' | 'button' | 'link' | 'afterLink'>

/** Notifies users by e-mail that they have a seat, or that their registration was declined. */
export function sendDecision({ db, mail, seal, publicUrl }: UserMailDependencies): Run<typeof registrationDecided> {
  return async ({ link: linkId, user }) => {
    const link = await linkWithId(db, linkId)
    const registration = await registrationOf(db, linkId, user)
    const person = await db
      .selectFrom('portal_user')
      .select(['email', 'name'])
      .where('id', '=', user)
      .executeTakeFirst()
    if (link === undefined || registration === null || person === undefined) return
    const code = codeOf(seal, link)
    const isSeated = registration.state === 'seated'
    await mail.send(
      linkEmail({
        key: `registration-${linkId}-${user}-${registration.state}`,
        to: person.email,
        name: person.name,
        subject: isSeated ? `You have a seat in ${link.training}` : `Your registration for ${link.training}`,
        paragraphs: isSeated ? seatedWords(link) : declinedWords(link),
        button: 'Open Trainyard',
        link: code === null || !isSeated ? publicUrl : joinUrl(publicUrl, code),
        afterLink: 'You receive this e-mail because you registered for this training.',
      }),
    )
  }
}

const seatedWords = ({ training, organisation, with_machine }: Link): readonly string[] => [
  `You have a seat in ${training} of ${organisation}.`,
  ...(with_machine ? ['Your machine is being created. The page shows its progress and opens it.'] : []),
]

const declinedWords = ({ training, organisation }: Link): readonly string[] => [
  `Your registration for ${training} of ${organisation} was declined.`,
  'Ask the instructor of the training if you think this is a mistake.',
]
