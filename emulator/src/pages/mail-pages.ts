import type { Mail } from '#src/mail/mailbox.ts'
import { html, linked, table, when, type Html } from '#src/pages/html.ts'

const most = 500

/** The newest first. */
export function mailList(mails: readonly Mail[]): Html {
  if (mails.length === 0) return html`<p class="quiet">No mail has come in yet.</p>`
  const newest = mails.toReversed().slice(0, most)
  return html`<p class="quiet">
      ${mails.length} mails, the newest first${mails.length > most ? `; the last ${most} are shown` : ''}.
    </p>
    ${table(
      ['To', 'Subject', 'From', 'Received'],
      newest.map((mail) => [
        mail.to.join(', '),
        html`<a class="wide" href="/mailbox/${mail.number}">${mail.subject || '(no subject)'}</a>`,
        mail.from,
        when(mail.receivedAt),
      ]),
    )}`
}

export function mailShown(mail: Mail): Html {
  return html`<dl>
      <dt>To</dt>
      <dd>${mail.to.join(', ')}</dd>
      <dt>From</dt>
      <dd>${mail.from}</dd>
      <dt>Received</dt>
      <dd>${when(mail.receivedAt)}</dd>
      <dt>Message-ID</dt>
      <dd>${mail.messageId}</dd>
    </dl>
    <pre>${linked(readable(mail))}</pre>
    <p><a href="/mailbox">All mails</a></p>`
}

/** The plain text, or what is left of the HTML without its marks, with the addresses of its links. */
function readable(mail: Mail): string {
  if (mail.text.trim() !== '') return mail.text
  return mail.html
    .replaceAll(/<(style|script)[\s\S]*?<\/\1>/gi, '')
    .replaceAll(/<a\b[^>]*?href="([^"]*)"[^>]*>/gi, '$1 ')
    .replaceAll(/<\/(?:p|div|h\d|tr|li)>|<br\s*\/?>/gi, '\n')
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll('&amp;', '&')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}
