import type { Email } from '../../../providers/mail.ts'
import { LINK_MINUTES } from './invitation.ts'
import { passwordEmail } from './password-email.ts'

interface Asked {
  readonly key: string
  readonly to: string
  readonly link: string
}

/** Returns the email with a link to reset a password. */
export const forgottenEmail = ({ key, to, link, email }: Asked & { readonly email: string }): Email =>
  passwordEmail({
    key: `forgotten-${key}`,
    to,
    subject: 'Choose another password',
    paragraphs: [`Somebody asked for another password for ${email}.`, 'If that was you, choose one now.'],
    link,
    afterLink: `The link works once, within ${LINK_MINUTES} minutes; a newer one ends it. If you did not ask for it, you can leave this email be: your password stays as it is.`,
  })

/** Returns the email for a user without a password whose invitation has expired. */
export const invitationRanOutEmail = ({ key, to, link }: Asked): Email =>
  passwordEmail({
    key: `forgotten-${key}`,
    to,
    subject: 'Your invitation to Trainyard is over',
    paragraphs: [
      'Somebody asked for another password for you. You have none yet, and your invitation is not valid any more.',
      'Please ask your administrator for a new one.',
    ],
    link,
    button: 'Go to Login',
    afterLink: 'If you did not ask for it, you can leave this email be.',
  })

/** Returns the email for a user whose organisation allows only its own identity provider. */
export const signInElsewhereEmail = ({ key, to, link }: Asked): Email =>
  passwordEmail({
    key: `forgotten-${key}`,
    to,
    subject: 'Sign in with your organisation',
    paragraphs: [
      'Somebody asked for another password for you. Your organisation uses none here: sign in with its own provider.',
      'Enter your e-mail on the login page, and choose “Sign in with your organisation”.',
    ],
    link,
    button: 'Go to Login',
    afterLink: 'If you did not ask for it, you can leave this email be.',
  })
