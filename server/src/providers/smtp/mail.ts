import { createTransport } from 'nodemailer'
import { type Mail, MailNotTaken } from '../mail.ts'
import { connectionOf } from './connection.ts'

export interface SmtpSettings {
  /** `smtp://user:password@host:port`, or `smtps://` for TLS from the first byte. */
  readonly url: string
  /** `Name <address>`: who the emails are from; its domain also ends their Message-IDs. */
  readonly from: string
  /** Milliseconds for each of connecting, the greeting and every silence after it; 20,000 when left out. */
  readonly timeout?: number
}

/** Mail over SMTP. */
export function smtpMail({ url, from, timeout = 20_000 }: SmtpSettings): Mail {
  const domain = /@([^\s>@]+)>?\s*$/.exec(from)?.[1]
  if (domain === undefined) throw new Error('The sender of mail must end in an address: Name <name@example.org>.')
  const transport = createTransport({
    ...connectionOf(url, timeout),
    // An email's text comes from us and from people: it must never name a file or an address to read.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send({ key, to, subject, text, html, attachments = [] }) {
      const sent = transport.sendMail({
        // The object form: a display name or a list hidden in the text of an address stays one address.
        to: { name: '', address: to },
        from,
        subject,
        text,
        html,
        attachments: attachments.map(({ name, type, content }) => ({ filename: name, contentType: type, content })),
        messageId: `<${localPart(key)}@${domain}>`,
      })
      await sent.catch((error: Error) => {
        throw new MailNotTaken(error.message, { cause: error })
      })
    },
  }
}

/** The key as a Message-ID's local part: what a mail system might trip over is written as its hex code. */
function localPart(key: string): string {
  return key.replace(/[^A-Za-z0-9.-]/g, (character) => `_${character.codePointAt(0)?.toString(16)}`)
}
