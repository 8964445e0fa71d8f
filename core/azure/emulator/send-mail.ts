import { wholeSecond } from '@trainyard/platform/emulator/clock/clock.ts'
import type { GraphOperation } from './operation.ts'
import { GraphRefusal } from './refusal.ts'
import { tenantIn } from './tenant.ts'
import type { Mailbox } from '@trainyard/platform/emulator/mail/mailbox.ts'
import type { Settings } from '@trainyard/platform/emulator/record/settings.ts'

const maxBytes = 4 * 1024 * 1024

/** Supports the MIME form only. Source: learn.microsoft.com, "user: sendMail", "Send Outlook messages using MIME format". */
export const sendMailOperation = (settings: Settings, mailbox: Mailbox): GraphOperation => ({
  name: 'users.user.sendMail',
  method: 'POST',
  path: '/users/:id/sendMail',
  permission: 'Mail.Send',
  handle({ params, body, now }) {
    const sender = (params.id ?? '').toLowerCase()
    if (!tenantIn(settings).mailboxes.includes(sender)) {
      throw new GraphRefusal(404, 'ErrorInvalidUser', `The requested user '${sender}' is invalid.`)
    }
    if (typeof body !== 'string' || !/^[A-Za-z0-9+/=\r\n]+$/.test(body)) {
      throw new GraphRefusal(400, 'ErrorMimeContentInvalidBase64String', 'Invalid base64 string for MIME content.')
    }
    const raw = Buffer.from(body, 'base64')
    if (raw.length > maxBytes)
      throw new GraphRefusal(413, 'ErrorMessageSizeExceeded', 'The message size exceeds the limit.')
    const header = raw
      .toString()
      .split(/\r?\n\r?\n/, 1)[0]!
      .replaceAll(/\r?\n[ \t]+/g, ' ')
    const [from] = addressesIn(header, /^from:(.*)$/im)
    if (from !== sender) {
      throw new GraphRefusal(
        403,
        'ErrorSendAsDenied',
        'The user account which was used to submit this request does not have the right to send mail on behalf of the specified sending account.',
      )
    }
    const recipients = addressesIn(header, /^to:(.*)$/im)
    if (recipients.length === 0) {
      throw new GraphRefusal(400, 'ErrorInvalidRecipients', 'At least one recipient is not valid.')
    }
    mailbox.store({ sender, recipients, raw, receivedAt: wholeSecond(now) })
    return { status: 202 }
  },
})

const addressesIn = (header: string, field: RegExp): string[] =>
  (field.exec(header)?.[1]?.match(/[^\s<>,;"]+@[^\s<>,;"]+/g) ?? []).map((address) => address.toLowerCase())
