import { HOUR, type Limit } from '@trainyard/platform/contract/limits.ts'
import { z } from 'zod'
import { call } from '@trainyard/platform/contract/call.ts'
import { RETENTION_DAYS_MAX } from '@trainyard/platform/contract/words/limits.ts'
import { email, instant, name } from '@trainyard/platform/contract/shapes.ts'

/** Each call searches every table for a person. */
const personalData: Limit = { name: 'personal-data', per: 'person', max: 60, seconds: HOUR }

const admins = ['admin', 'superadmin'] as const
const format = z.enum(['json', 'text'])
const text = (max: number) => z.string().trim().min(1, 'must not be empty').max(max).nullable()
/** Days, or null if the installation's rules apply. */
const days = z.int('must be a whole number of days').min(1).max(RETENTION_DAYS_MAX).nullable()
const notice = {
  /** Person or body that is responsible for the data. */
  responsible: text(200),
  /** Address or phone number for requests about the data. */
  contact: text(254),
  purpose: text(500),
  noticeUrl: z
    .url({ protocol: /^https$/, error: 'must be an address that starts with https://' })
    .max(500)
    .nullable(),
}
const retention = {
  /** Periods of use of machines, and file transfers. */
  activityDays: days,
  /** Connections to machines, from which attendance is computed. */
  attendanceDays: days,
  /** Records of sent invitations. */
  emailDays: days,
  /** Unused sessions with their network address and browser. */
  signInDays: days,
  /** Delivered webhook events and their attempts. */
  webhookDays: days,
}
const settings = z.object({ ...notice, ...retention })

export const privacy = {
  settings: call({
    route: 'GET /privacy/settings',
    for: admins,
    does: "Returns an organisation's privacy notice and after how many days which data is deleted.",
    query: z.strictObject({ organization: name.optional() }),
    reply: settings,
  }),
  changeSettings: call({
    route: 'PATCH /privacy/settings',
    for: admins,
    does: "Changes an organisation's privacy notice and the days after which data is deleted.",
    audit: 'changed privacy settings',
    body: settings.partial().extend({ organization: name.optional() }).strict(),
  }),
  notice: call({
    route: 'GET /privacy/notice',
    for: 'signed in',
    does: "Returns the privacy notice of the caller's organisation. All fields are null if the caller has no organisation.",
    before: ['second factor'],
    reply: z.object(notice),
  }),
  exportPerson: call({
    route: 'POST /privacy/export',
    for: admins,
    does: 'Returns all data of a user as JSON or as a text to read. Admins receive data of their organisation only.',
    audit: 'exported a person’s data',
    limit: personalData,
    body: z.strictObject({ email, format }),
    reply: z.string(),
    kind: 'file',
  }),
  exportMine: call({
    route: 'POST /privacy/export/mine',
    for: 'signed in',
    does: "Returns all data of the caller's account as JSON or as a text to read.",
    audit: 'exported their own data',
    limit: personalData,
    before: ['second factor'],
    body: z.strictObject({ format }),
    reply: z.string(),
    kind: 'file',
  }),
  erase: call({
    route: 'POST /privacy/erasures',
    for: admins,
    proof: 'fresh',
    does: 'Closes an account and requests the erasure of the person’s data by a background task. 409 while the person has machines, lab users or open payments, and for the last admin.',
    audit: 'requested the erasure of a person’s data',
    body: z.strictObject({ email }),
  }),
  erasures: call({
    route: 'GET /privacy/erasures',
    for: admins,
    does: 'Lists the erasures of an organisation with their reports, newest first, at most 200. Superadmins also receive the erasures that cover all organisations.',
    query: z.strictObject({ organization: name.optional() }),
    reply: z.object({
      erasures: z.array(
        z.object({
          number: z.int(),
          /** Null once the data has been erased. */
          email: z.string().nullable(),
          askedBy: z.string(),
          askedAt: instant,
          doneAt: instant.nullable(),
          /** Reason why the last attempt failed; null if there is none. */
          problem: z.string().nullable(),
          report: z.array(z.object({ table: z.string(), rows: z.int() })),
        }),
      ),
    }),
  }),
}

/** Texts that follow the portal's name in the audit log: actions that are no calls. */
export const privacyActions = {
  'privacy.erased': 'erased a person’s data',
} as const

declare module '@trainyard/platform/contract/contract.ts' {
  interface Contract {
    privacy: typeof privacy
  }
}
