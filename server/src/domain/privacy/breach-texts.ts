import { csvHead, csvLine } from '@trainyard/contract/words/csv.ts'

export interface BreachDetails {
  readonly what: string
  readonly cause: string | null
  readonly consequences: string | null
  readonly measures: string | null
  readonly advice: string | null
  readonly contact: string | null
}

export interface Affected {
  /** Null for users without an organisation. */
  readonly organization: string | null
  readonly users: number
}

interface BoardReport extends BreachDetails {
  readonly number: number
  readonly foundAt: Date
  readonly boardReportDue: Date
  readonly affected: readonly Affected[]
  readonly notices: {
    readonly waiting: number
    readonly requested: number
    readonly sent: number
    readonly failed: number
  }
}

const NOT_STATED = '[Not stated yet. Complete this part before you send the report.]'

const usersIn = (affected: readonly Affected[]): number => affected.reduce((sum, { users }) => sum + users, 0)

/** Returns the names of details that a notice needs and that are missing. */
export const missingDetails = (breach: BreachDetails): string[] =>
  (
    [
      ['the consequences', breach.consequences],
      ['the measures', breach.measures],
      ['the advice to users', breach.advice],
      ['the contact', breach.contact],
    ] as const
  ).flatMap(([name, value]) => (value === null ? [name] : []))

/**
 * Returns a draft of the detailed report to the Data Protection Board. Its parts are those of rule 7 (2) (b) of India's
 * Digital Personal Data Protection Rules, 2025 (dpdpa.co.in/rule-7).
 */
export function boardReport(breach: BoardReport): string {
  const { affected, notices } = breach
  const parts: [string, string][] = [
    ['Nature of the breach', breach.what],
    ['Time at which the breach was found', utc(breach.foundAt)],
    [
      'Extent',
      affected.length === 0
        ? NOT_STATED
        : [
            `Affected users: ${usersIn(affected)}`,
            ...affected.map(({ organization, users }) => `- ${organization ?? 'without an organisation'}: ${users}`),
          ].join('\n'),
    ],
    ['Events, circumstances and reasons that led to the breach', breach.cause ?? NOT_STATED],
    ['Likely consequences', breach.consequences ?? NOT_STATED],
    ['Measures to reduce the risk and to prevent a repetition', breach.measures ?? NOT_STATED],
    ['Findings about the person who caused the breach', NOT_STATED],
    [
      'Notices to the affected users and their organisations',
      `Sent: ${notices.sent}. In the mail queue: ${notices.requested}. Failed: ${notices.failed}. Not requested yet: ${notices.waiting}.`,
    ],
    ['Contact', breach.contact ?? NOT_STATED],
  ]
  return `${[
    `Report of personal data breach ${breach.number} to the Data Protection Board of India`,
    `Draft. The report is due at ${utc(breach.boardReportDue)}, 72 hours after the breach was found, unless the Board allows more time.`,
    ...parts.map(([title, text], index) => `${index + 1}. ${title}\n${text}`),
  ].join('\n\n')}\n`
}

const utc = (at: Date): string => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`

interface BreachNotice extends BreachDetails {
  readonly found_at: Date
  readonly kind: 'user' | 'admin'
  readonly organization: string | null
  /** Affected users of the organisation. */
  readonly users: number
  readonly time_zone: string
}

/** Returns the paragraphs of a notice; its parts are those of rule 7 (1) of the same rules. */
export function noticeLines(notice: BreachNotice): string[] {
  const { kind, organization, users, time_zone: timeZone } = notice
  const found = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short', timeZone })
  const about =
    kind === 'user'
      ? 'Your personal data in Trainyard was affected by a security incident.'
      : `Personal data of ${users === 1 ? 'one user' : `${users} users`} of ${organization} in Trainyard was affected by a security incident. The users receive a notice too.`
  return [
    'Hello,',
    about,
    `What happened: ${notice.what}`,
    `It was found on ${found.format(notice.found_at)} (${timeZone}).`,
    `Likely consequences: ${notice.consequences}`,
    `What we have done: ${notice.measures}`,
    `What you can do: ${notice.advice}`,
    `Questions: ${notice.contact}`,
    'Trainyard',
  ]
}

interface Recipient {
  readonly kind: string
  readonly email: string
  readonly organization: string | null
  readonly requested_at: Date | null
  readonly sent_at: Date | null
  readonly problem: string | null
}

export function* recipientLines(recipients: readonly Recipient[]): Iterable<string> {
  yield csvHead(['Recipient', 'Email', 'Organisation', 'Requested', 'Sent', 'Problem'])
  for (const { kind, email, organization, requested_at: requested, sent_at: sent, problem } of recipients)
    yield csvLine([kind, email, organization, requested?.toISOString() ?? null, sent?.toISOString() ?? null, problem])
}
