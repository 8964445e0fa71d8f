import { type Attachment, type Email, escapeHtml } from '@trainyard/platform/server/mail/mail.ts'
import { spokenName } from '@trainyard/platform/contract/words/person-name.ts'

export interface LinkEmail {
  readonly key: string
  readonly to: string
  /** Name of the recipient, if known. */
  readonly name?: string | null
  readonly subject: string
  readonly paragraphs: readonly string[]
  /** Labels with their values, shown below the paragraphs. */
  readonly facts?: readonly (readonly [label: string, value: string])[]
  readonly link: string
  readonly button?: string
  readonly afterLink: string
  readonly attachments?: readonly Attachment[]
}

export function linkEmail({
  key,
  to,
  name = null,
  subject,
  paragraphs,
  facts = [],
  link,
  button = 'Choose a password',
  afterLink,
  attachments = [],
}: LinkEmail): Email {
  const href = escapeHtml(link)
  const greeting = name === null ? 'Hello,' : `Hello ${spokenName(name)},`
  return {
    key,
    to,
    subject: subject.replaceAll(/[\r\n]+/g, ' '),
    attachments,
    text: [greeting, ...paragraphs, ...factLines(facts), link, afterLink, 'Trainyard'].join('\n\n') + '\n',
    html: `<!doctype html>
<html lang="en">
<body style="margin:0;background:#f3f5f8;font:16px/1.5 system-ui,sans-serif;color:#16202c">
<div style="max-width:32rem;margin:0 auto;padding:2rem 1.5rem">
<div style="background:#fff;border-radius:8px;padding:2rem">
<p style="margin-top:0">${escapeHtml(greeting)}</p>
${paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`).join('\n')}
${factTable(facts)}
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

type Facts = NonNullable<LinkEmail['facts']>

const factLines = (facts: Facts): string[] =>
  facts.length === 0 ? [] : [facts.map(([label, value]) => `${label}: ${value}`).join('\n')]

const factTable = (facts: Facts): string =>
  facts.length === 0
    ? ''
    : `<table style="border-collapse:collapse">${facts
        .map(
          ([label, value]) =>
            `<tr><th style="padding:.25rem 1rem .25rem 0;text-align:left;vertical-align:top;font-weight:normal;color:#4a5568">${escapeHtml(label)}</th><td style="padding:.25rem 0">${escapeHtml(value)}</td></tr>`,
        )
        .join('')}</table>`
