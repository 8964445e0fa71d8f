import type { Email } from '../../../providers/mail.ts'
import { RESET_LINK_MINUTES } from './invitation.ts'
import { passwordEmail } from './password-email.ts'

interface EmailTarget {
  readonly key: string
  readonly to: string
  readonly link: string
}

export const passwordResetEmail = ({ key, to, link, email }: EmailTarget & { readonly email: string }): Email =>
  passwordEmail({
    key: `forgotten-${key}`,
    to,
    subject: 'Reset your password',
    paragraphs: [
      `We received a request to reset the password of ${email}.`,
      'If you made this request, choose a new password now.',
    ],
    link,
    afterLink: `The link works once, within ${RESET_LINK_MINUTES} minutes. A newer link replaces it. If you did not request this, you can ignore this email: your password does not change.`,
  })

export const invitationExpiredEmail = ({ key, to, link }: EmailTarget): Email =>
  passwordEmail({
    key: `forgotten-${key}`,
    to,
    subject: 'Your invitation to Trainyard has expired',
    paragraphs: [
      'We received a request to reset your password. You do not have a password yet, and your invitation has expired.',
      'Please ask your administrator for a new one.',
    ],
    link,
    button: 'Go to Login',
    afterLink: 'If you did not request this, you can ignore this email.',
  })

export const providerSignInEmail = ({ key, to, link }: EmailTarget): Email =>
  passwordEmail({
    key: `forgotten-${key}`,
    to,
    subject: 'Sign in with your organisation',
    paragraphs: [
      'We received a request to reset your password. Your organisation does not use passwords here. Sign in with its own provider.',
      'Enter your e-mail on the login page and choose “Sign in with your organisation”.',
    ],
    link,
    button: 'Go to Login',
    afterLink: 'If you did not request this, you can ignore this email.',
  })
