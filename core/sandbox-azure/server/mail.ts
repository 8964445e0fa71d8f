import { Client } from '@microsoft/microsoft-graph-client'
import { createTransport } from 'nodemailer'
import { CloudError, providerErrorIn } from '@trainyard/platform/server/providers/errors.ts'
import { type Mail, MailRejectedError, MailSendError } from '@trainyard/platform/server/mail/mail.ts'
import { hasMailbox, messageOf, senderOf } from '@trainyard/platform/server/mail/mail-message.ts'
import { asCloudError, EntraError } from './errors.ts'
import { type GraphSettings, graphWire } from './wire.ts'

const TIMEOUT_MS = 30_000

/** Errors that a repetition of the email would cause too. Source: learn.microsoft.com, "EWS ResponseCode". */
const PERMANENT = new Set(['ErrorInvalidRecipients', 'ErrorInvalidSmtpAddress', 'ErrorMessageSizeExceeded'])

const NO_MAILBOX = new Set(['ErrorInvalidUser', 'MailboxNotEnabledForRESTAPI', 'ResourceNotFound'])

/**
 * Sends e-mails from a mailbox of Microsoft 365. The message is sent as MIME, which preserves its Message-ID. Graph
 * accepts up to 4 MB. Source: learn.microsoft.com, "user: sendMail".
 */
export function graphMail({ from, ...settings }: GraphSettings & { readonly from: string }): Mail {
  const graph = Client.initWithMiddleware({ middleware: graphWire(settings) })
  const { mailbox } = senderOf(from)
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  return {
    async send(email) {
      if (!hasMailbox(email.to)) return
      const { message } = await composer.sendMail(messageOf(email, from))
      try {
        await graph
          .api(`/users/${encodeURIComponent(mailbox)}/sendMail`)
          .options({ signal: AbortSignal.timeout(TIMEOUT_MS) })
          .header('content-type', 'text/plain')
          .post((message as Buffer).toString('base64'))
      } catch (problem) {
        throw asMailError(problem, mailbox)
      }
    },
  }
}

function asMailError(problem: unknown, mailbox: string): unknown {
  const error = asCloudError(problem, `send an e-mail from ${mailbox}`)
  if (!(error instanceof CloudError)) return error
  const code = providerErrorIn(error, EntraError)?.code ?? ''
  if (NO_MAILBOX.has(code)) {
    return new MailSendError(`${mailbox} is not a mailbox of Microsoft 365 (${code}). Check MAIL_FROM.`, {
      cause: error,
    })
  }
  return PERMANENT.has(code)
    ? new MailRejectedError(`Microsoft 365 rejects the e-mail (${code}).`, { cause: error })
    : new MailSendError(error.message, { cause: error })
}
