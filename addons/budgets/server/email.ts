import { hoursOfMinutes } from '@trainyard/platform/contract/words/duration.ts'
import { formatRupees, type Paise, rupeesOfPaise } from '@trainyard/platform/contract/words/money.ts'
import { type Email, escapeHtml } from '@trainyard/platform/server/mail/mail.ts'

export interface AlertEmailData {
  readonly key: string
  readonly to: string
  readonly kind: 'budget' | 'quota'
  readonly percent: number
  readonly used: number
  readonly total: number
  readonly organisation: string
  readonly training: string | null
  readonly stopsMachines: boolean
  readonly link: string
}

export function alertEmail(alert: AlertEmailData): Email {
  const { key, to, kind, percent, training, organisation, stopsMachines, link } = alert
  const subject = training ?? organisation
  const figures = `${figure(kind, alert.used)} of ${figure(kind, alert.total)}`
  const period = training === null ? ' this month' : ''
  const paragraphs = [
    `${percent} % of the ${kind} of ${subject} is used${period}: ${figures}.`,
    ...(stopsMachines && percent === 100
      ? ['Its machines are being stopped. Orders and starts are refused until the budget is raised.']
      : []),
  ]
  return {
    key,
    to,
    subject: `${kind === 'budget' ? 'Budget' : 'Quota'} of ${subject}: ${percent} % used`.replaceAll(/[\r\n]+/g, ' '),
    text: `${['Hello,', ...paragraphs, link, 'Trainyard'].join('\n\n')}\n`,
    html: `<!doctype html>
<html lang="en">
<body style="font:16px/1.5 system-ui,sans-serif;color:#16202c">
<p>Hello,</p>
${paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`).join('\n')}
<p><a href="${escapeHtml(link)}" style="color:#123f7a">Budgets</a></p>
<p>Trainyard</p>
</body>
</html>
`,
  }
}

const figure = (kind: 'budget' | 'quota', amount: number): string =>
  kind === 'budget' ? formatRupees(rupeesOfPaise(amount as Paise)) : `${hoursOfMinutes(amount)} h`
