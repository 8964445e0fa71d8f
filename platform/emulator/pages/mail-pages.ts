import type { FastifyReply } from 'fastify'
import type { Mail } from '../mail/mailbox.ts'
import { html, linkAddresses, table, formatInstant, type Html } from './html.ts'
import { sendPage } from './send-page.ts'
import type { Emulated } from '../part.ts'

const maxRows = 500
const PAGE = '/mailbox'

export function mountMailPages(emulated: Emulated): void {
  const { server, mailbox, tabs } = emulated
  tabs.push({ path: PAGE, title: 'Mailbox' })
  const show = (reply: FastifyReply, title: string, content: Html, current?: string) =>
    sendPage(reply, emulated, title, content, current)

  for (const path of ['/', PAGE]) {
    server.get(path, async (_request, reply) => show(reply, 'Mailbox', mailList(await mailbox.all()), PAGE))
  }
  server.get(`${PAGE}/:number`, async (request, reply) => {
    const { number } = request.params as { number: string }
    const mail = await mailbox.find(Number(number))
    if (mail !== undefined) return show(reply, mail.subject, mailPage(mail))
    return show(reply.code(404), 'No such mail', html`<p>There is no mail ${number}.</p>`)
  })
}

function mailList(mails: readonly Mail[]): Html {
  if (mails.length === 0) return html`<p class="quiet">No mail has been received yet.</p>`
  const newest = mails.toReversed().slice(0, maxRows)
  return html`<p class="quiet">
      ${mails.length} mails, the newest first${mails.length > maxRows ? `; the last ${maxRows} are shown` : ''}.
    </p>
    ${table(
      ['To', 'Subject', 'From', 'Received'],
      newest.map((mail) => [
        mail.to.join(', '),
        html`<a class="wide" href="/mailbox/${mail.number}">${mail.subject || '(no subject)'}</a>`,
        mail.from,
        formatInstant(mail.receivedAt),
      ]),
    )}`
}

function mailPage(mail: Mail): Html {
  return html`<dl>
      <dt>To</dt>
      <dd>${mail.to.join(', ')}</dd>
      <dt>From</dt>
      <dd>${mail.from}</dd>
      <dt>Received</dt>
      <dd>${formatInstant(mail.receivedAt)}</dd>
      <dt>Message-ID</dt>
      <dd>${mail.messageId}</dd>
    </dl>
    <pre>${linkAddresses(readable(mail))}</pre>
    <p><a href="/mailbox">All mails</a></p>`
}

/** Without a text part, returns the HTML without tags but with the addresses of its links. */
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
