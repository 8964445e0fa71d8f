import type { SendMailOptions } from 'nodemailer'
import type { Email } from './mail.ts'

const ADDRESS = /([^\s<>@]+@([^\s<>@]+))>?\s*$/

/**
 * Returns the mailbox and domain of a sender.
 * @param from `Name <address>` or an address
 */
export function senderOf(from: string): { readonly mailbox: string; readonly domain: string } {
  const [, mailbox, domain] = ADDRESS.exec(from) ?? []
  if (mailbox === undefined || domain === undefined) {
    throw new Error('The mail sender must end with an address: Name <name@example.org>.')
  }
  return { mailbox, domain }
}

/** Returns false for users without a mailbox: no mail server exists for `.invalid` (rfc-editor.org/rfc/rfc2606). */
export const hasMailbox = (address: string): boolean => !address.endsWith('.invalid')

/**
 * Headers that keep absence notices and other automatic replies from answering. Sources: RFC 3834, section 5;
 * learn.microsoft.com, [MS-OXCMAIL], X-Auto-Response-Suppress.
 */
const AUTOMATIC = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' }

/** Returns the message in the form of nodemailer. A repetition has the same Message-ID. */
export function messageOf({ key, to, subject, text, html, attachments = [] }: Email, from: string): SendMailOptions {
  return {
    // The object form treats the whole text as one address, even if it contains a display name or a list.
    to: { name: '', address: to },
    from,
    subject,
    text,
    html,
    attachments: attachments.map(({ name, type, content }) => ({ filename: name, contentType: type, content })),
    headers: AUTOMATIC,
    messageId: `<${localPart(key)}@${senderOf(from).domain}>`,
    // Emails contain text from users, which must not make nodemailer read a file or a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/** Returns the key as the local part of a Message-ID. Unusual characters are replaced by their hex code. */
function localPart(key: string): string {
  return key.replace(/[^A-Za-z0-9.-]/g, (character) => `_${character.codePointAt(0)?.toString(16)}`)
}
