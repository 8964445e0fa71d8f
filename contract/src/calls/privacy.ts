import { z } from 'zod'
import { defineCall } from '../call.ts'
import { RETENTION_DAYS_MAX } from '../words/limits.ts'
import { email, instant, message, name } from './shapes.ts'

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
  settings: defineCall({
    method: 'GET',
    path: '/privacy/settings',
    roles: admins,
    freshProof: 'none: reads only',
    summary: "Returns an organisation's privacy notice and after how many days which data is deleted.",
    query: z.strictObject({ organization: name.optional() }),
    reply: settings,
  }),
  changeSettings: defineCall({
    method: 'PATCH',
    path: '/privacy/settings',
    roles: admins,
    freshProof: 'none: changes no sign-in',
    summary: "Changes an organisation's privacy notice and the days after which data is deleted.",
    body: settings.partial().extend({ organization: name.optional() }).strict(),
    reply: message,
  }),
  notice: defineCall({
    method: 'GET',
    path: '/privacy/notice',
    roles: 'signed in',
    freshProof: 'none: reads only',
    allowedBeforeSecondFactor: true,
    summary:
      "Returns the privacy notice of the caller's organisation. All fields are null if the caller has no organisation.",
    reply: z.object(notice),
  }),
  exportPerson: defineCall({
    method: 'POST',
    path: '/privacy/export',
    roles: admins,
    freshProof: 'none: reads only',
    summary: 'Returns all data of a user as JSON or as a text to read. Admins receive data of their organisation only.',
    body: z.strictObject({ email, format }),
    reply: z.string(),
    file: true,
  }),
  exportMine: defineCall({
    method: 'POST',
    path: '/privacy/export/mine',
    roles: 'signed in',
    freshProof: 'none: reads only',
    allowedBeforeSecondFactor: true,
    summary: "Returns all data of the caller's account as JSON or as a text to read.",
    body: z.strictObject({ format }),
    reply: z.string(),
    file: true,
  }),
  erase: defineCall({
    method: 'POST',
    path: '/privacy/erasures',
    roles: admins,
    freshProof: 'confirm',
    summary:
      'Closes an account and requests the erasure of the person’s data by a background task. 409 while the person has machines, lab users or open payments, and for the last admin.',
    body: z.strictObject({ email }),
    reply: message,
  }),
  erasures: defineCall({
    method: 'GET',
    path: '/privacy/erasures',
    roles: admins,
    freshProof: 'none: reads only',
    summary:
      'Lists the erasures of an organisation with their reports, newest first, at most 200. Superadmins also receive the erasures that cover all organisations.',
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
