import { type Email, escapeHtml } from '../../../providers/mail.ts'

export interface PasswordEmail {
  readonly key: string
  readonly to: string
  /** Name of the recipient, if known. */
  readonly name?: string | null
  readonly subject: string
  readonly paragraphs: readonly string[]
  readonly link: string
  readonly button?: string
  readonly afterLink: string
}

export function passwordEmail({
  key,
  to,
  name = null,
  subject,
  paragraphs,
  link,
  button = 'Choose a password',
  afterLink,
}: PasswordEmail): Email {
  const href = escapeHtml(link)
  const greeting = name === null ? 'Hello,' : `Hello ${name},`
  return {
    key,
    to,
    subject: subject.replaceAll(/[\r\n]+/g, ' '),
    text: [greeting, ...paragraphs, link, afterLink, 'Trainyard'].join('\n\n') + '\n',
    html: `<!doctype html>
<html lang="en">
<body style="margin:0;background:#f3f5f8;font:16px/1.5 system-ui,sans-serif;color:#16202c">
<div style="max-width:32rem;margin:0 auto;padding:2rem 1.5rem">
<div style="background:#fff;border-radius:8px;padding:2rem">
<p style="margin-top:0">${escapeHtml(greeting)}</p>
${paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`).join('\n')}
<p style="margin:2rem 0"><a href="${href}" style="background:#123f7a;color:#fff;padding:.75rem 1.5rem;border-radius:4px;text-decoration:none">${escapeHtml(button)}</a></p>
<p style="font-size:.875rem;color:#4a5568">Or open this address:<br><a href="${href}" style="color:#123f7a;word-break:break-all">${href}</a></p>
<p style="font-size:.875rem;color:#4a5568;margin-bottom:0">${escapeHtml(afterLink)}</p>
</div>
</div>
</body>
</html>
`,
  }
}
