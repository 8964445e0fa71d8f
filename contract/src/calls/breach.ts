import { z } from 'zod'
import { defineCall } from '../call.ts'
import { BREACH_PERSONS_MAX, BREACH_TEXT_MAX } from '../words/limits.ts'
import { email, instant, message, name, requestedInstant } from './shapes.ts'

const superadmins = ['superadmin'] as const
const text = z.string().trim().min(1, 'must not be empty').max(BREACH_TEXT_MAX)
const number = z.int().min(1)
const details = {
  /** Cause, as far as it is known. */
  cause: text.nullable(),
  consequences: text.nullable(),
  /** Measures that were taken or are planned. */
  measures: text.nullable(),
  /** Measures that the affected users can take. */
  advice: text.nullable(),
  /** Person and address for questions of the affected users. */
  contact: text.nullable(),
}
const breachOf = z.strictObject({ number })

/** Personal data breaches, with the notices to affected users, their organisations and the Data Protection Board. */
export const breach = {
  list: defineCall({
    method: 'GET',
    path: '/privacy/breaches',
    roles: superadmins,
    freshProof: 'none: reads only',
    summary: 'Lists the personal data breaches with the numbers of their notices, newest first, at most 200.',
    reply: z.object({
      breaches: z.array(
        z.object({
          number,
          what: z.string(),
          foundAt: instant,
          ...details,
          recordedBy: z.string(),
          recordedAt: instant,
          /** End of the 72 hours for the report to the Data Protection Board. */
          boardReportDue: instant,
          boardReportedAt: instant.nullable(),
          /** Affected users by organisation. The organisation is null for users without one. */
          affected: z.array(z.object({ organization: z.string().nullable(), users: z.int() })),
          notices: z.object({ waiting: z.int(), requested: z.int(), sent: z.int(), failed: z.int() }),
        }),
      ),
    }),
  }),
  record: defineCall({
    method: 'POST',
    path: '/privacy/breaches',
    roles: superadmins,
    freshProof: 'none: changes no sign-in',
    summary: 'Records a personal data breach. 400 for a time in the future.',
    body: z.strictObject({ what: text, foundAt: requestedInstant }),
    reply: message,
  }),
  change: defineCall({
    method: 'PATCH',
    path: '/privacy/breaches',
    roles: superadmins,
    freshProof: 'none: changes no sign-in',
    summary: 'Changes the details of a personal data breach.',
    body: z
      .object({ what: text, ...details })
      .partial()
      .extend({ number })
      .strict(),
    reply: message,
  }),
  addAffected: defineCall({
    method: 'POST',
    path: '/privacy/breaches/affected',
    roles: superadmins,
    freshProof: 'none: changes no sign-in',
    summary:
      'Adds affected users to a personal data breach, either by e-mail or all users of an organisation. 404 for an e-mail without an account.',
    body: z.strictObject({
      number,
      emails: z.array(email).max(BREACH_PERSONS_MAX).optional(),
      organization: name.optional(),
    }),
    reply: message,
  }),
  notify: defineCall({
    method: 'POST',
    path: '/privacy/breaches/notices',
    roles: superadmins,
    freshProof: 'none: changes no sign-in',
    summary:
      'Sends a notice to each affected user, and to the admins of their organisations, unless it was already requested. Notices that failed are sent again. 409 while a detail is missing.',
    body: breachOf,
    reply: message,
  }),
  reported: defineCall({
    method: 'POST',
    path: '/privacy/breaches/report',
    roles: superadmins,
    freshProof: 'none: changes no sign-in',
    summary: 'Records that the detailed report was sent to the Data Protection Board. 409 if it is already recorded.',
    body: breachOf,
    reply: message,
  }),
  draft: defineCall({
    method: 'POST',
    path: '/privacy/breaches/draft',
    roles: superadmins,
    freshProof: 'none: reads only',
    summary: 'Returns a draft of the report to the Data Protection Board, as a text.',
    body: breachOf,
    reply: z.string(),
    file: true,
  }),
  recipients: defineCall({
    method: 'POST',
    path: '/privacy/breaches/recipients',
    roles: superadmins,
    freshProof: 'none: reads only',
    summary: 'Returns the recipients of the notices of a personal data breach with their notices, as CSV.',
    body: breachOf,
    reply: z.string(),
    file: true,
  }),
}
