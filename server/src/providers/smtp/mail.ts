import { createTransport } from 'nodemailer'
import { type Mail, MailRejectedError, MailSendError } from '../mail.ts'
import { connectionOf } from './connection.ts'
import { permanentReply, type SmtpError, withoutSecrets } from './permanent-reply.ts'

export interface SmtpSettings {
  /** `smtp://user:password@host:port`, or `smtps://` for TLS from the first byte. */
  readonly url: string
  /** `Name <address>` of the sender; its domain also ends the Message-IDs. */
  readonly from: string
  readonly timeout?: number
}

export function smtpMail({ url, from, timeout = 20_000 }: SmtpSettings): Mail {
  const domain = /@([^\s>@]+)>?\s*$/.exec(from)?.[1]
  if (domain === undefined) throw new Error('The mail sender must end with an address: Name <name@example.org>.')
  const transport = createTransport({
    ...connectionOf(url, timeout),
    // Emails contain text from users, which must never make nodemailer read a file or a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send({ key, to, subject, text, html, attachments = [] }) {
      // Addresses of users without a mailbox: no mail server exists for this domain (rfc-editor.org/rfc/rfc2606).
      if (to.endsWith('.invalid')) return
      const sent = transport.sendMail({
        // The object form treats the whole text as one address, even if it contains a display name or a list.
        to: { name: '', address: to },
        from,
        subject,
        text,
        html,
        attachments: attachments.map(({ name, type, content }) => ({ filename: name, contentType: type, content })),
        messageId: `<${localPart(key)}@${domain}>`,
      })
      await sent.catch((error: SmtpError) => {
        const reply = permanentReply(error)
        if (reply !== null) throw new MailRejectedError(reply)
        throw new MailSendError(withoutSecrets(error.message))
      })
    },
  }
}

/** Returns the key as a Message-ID's local part; unusual characters are replaced by their hex code. */
function localPart(key: string): string {
  return key.replace(/[^A-Za-z0-9.-]/g, (character) => `_${character.codePointAt(0)?.toString(16)}`)
}
