import type { Letter } from '../../providers/mail.ts'
import { INVITATION_DAYS } from './invitation.ts'

/** The letter that brings an invitation. `link` is safe to stand in HTML as it is: an address, a UUID and base64url. */
export function invitationLetter(invited: {
  readonly invitation: string
  readonly email: string
  readonly organisation: string | null
  readonly link: string
}): Letter {
  const { email, link } = invited
  const where = invited.organisation === null ? 'Trainyard' : `the labs of ${invited.organisation}`
  const sentences = [
    `You are invited to ${where}.`,
    'Choose a password and you are in; your machines are waiting for you.',
    `The link works once, within ${INVITATION_DAYS} days, for ${email}. If you did not expect this letter, you can leave it be.`,
  ] as const
  return {
    key: `invitation-${invited.invitation}`,
    to: email,
    subject: `Your invitation to ${where}`.replaceAll(/[\r\n]+/g, ' '),
    text: ['Hello,', sentences[0], sentences[1], link, sentences[2], 'Trainyard'].join('\n\n') + '\n',
    html: `<!doctype html>
<html lang="en">
<body style="margin:0;background:#f3f5f8;font:16px/1.5 system-ui,sans-serif;color:#16202c">
<div style="max-width:32rem;margin:0 auto;padding:2rem 1.5rem">
<div style="background:#fff;border-radius:8px;padding:2rem">
<p style="margin-top:0">Hello,</p>
<p>${escapeHtml(sentences[0])}<br>${escapeHtml(sentences[1])}</p>
<p style="margin:2rem 0"><a href="${escapeHtml(link)}" style="background:#123f7a;color:#fff;padding:.75rem 1.5rem;border-radius:4px;text-decoration:none">Choose a password</a></p>
<p style="font-size:.875rem;color:#4a5568">Or open this address:<br><a href="${escapeHtml(link)}" style="color:#123f7a;word-break:break-all">${escapeHtml(link)}</a></p>
<p style="font-size:.875rem;color:#4a5568;margin-bottom:0">${escapeHtml(sentences[2])}</p>
</div>
</div>
</body>
</html>
`,
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character]!)
