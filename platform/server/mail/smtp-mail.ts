import { createTransport } from 'nodemailer'
import type { EgressProxy } from '../providers/egress.ts'
import { type Mail, MailRejectedError, MailSendError } from './mail.ts'
import { hasMailbox, messageOf, senderOf } from './mail-message.ts'
import { connectionOf } from './connection.ts'
import { permanentReply, type SmtpError, withoutSecrets } from './permanent-reply.ts'

export interface SmtpSettings {
  /** `smtp://user:password@host:port`, or `smtps://` for TLS from the first byte. */
  readonly url: string
  /** `Name <address>` of the sender. Message-IDs end with the domain of this address. */
  readonly from: string
  readonly timeout?: number
  readonly egress?: EgressProxy | null
  /** Access token of the mailbox's owner for SASL XOAUTH2, instead of a password; null: the URL's login. */
  readonly accessToken?: AccessToken | null
}

export interface AccessToken {
  readonly mailbox: string
  get(): Promise<string>
}

export function smtpMail({ url, from, timeout = 20_000, egress = null, accessToken = null }: SmtpSettings): Mail {
  senderOf(from)
  const connection = connectionOf(url, timeout, egress)
  return {
    async send(email) {
      if (!hasMailbox(email.to)) return
      const transport = createTransport({ ...connection, ...(await loginWith(accessToken)) })
      const { response } = await transport.sendMail(messageOf(email, from)).catch((error: SmtpError) => {
        const reply = permanentReply(error)
        if (reply !== null) throw new MailRejectedError(reply)
        throw new MailSendError(withoutSecrets(error.message))
      })
      email.onAccepted?.(withoutSecrets(response))
    },
  }
}

/** @throws MailSendError if the provider of the token refuses to sign the portal in */
export async function loginWith(accessToken: AccessToken | null) {
  if (accessToken === null) return {}
  const token = await accessToken.get().catch((error: Error) => {
    throw new MailSendError(error.message, { cause: error })
  })
  return { auth: { type: 'OAuth2' as const, user: accessToken.mailbox, accessToken: token } }
}
