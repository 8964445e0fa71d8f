import * as limits from '../limits.ts'
import { z } from 'zod'
import { call } from '../call.ts'
import { email, instant, name, requestedInstant } from './shapes.ts'

const cursor = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z\.\d{1,15}$/, 'must be a cursor from an earlier reply')
  .refine((text) => requestedInstant.safeParse(text.slice(0, 27)).success, 'must be a cursor from an earlier reply')

const filter = {
  /** Superadmins only. */
  organization: name.optional(),
  /** The last word matches as a prefix. */
  text: z
    .string()
    .max(100, 'must be at most 100 characters long')
    .refine((text) => /[\p{L}\p{N}]/u.test(text), 'must contain a letter or a digit')
    .optional(),
  person: email.optional(),
  call: z
    .string()
    .max(60)
    .regex(/^[A-Za-z]+\.[A-Za-z]+$/, 'must be a call such as machine.order')
    .optional(),
  from: requestedInstant.optional(),
  until: requestedInstant.optional(),
}

const row = z.object({
  id: z.int(),
  at: instant,
  call: z.string(),
  /** E-mail of the user who made the call, or the e-mail given in a failed sign-in; null for the portal itself. */
  person: z.string().nullable(),
  role: z.string().nullable(),
  organization: z.string().nullable(),
  address: z.string().nullable(),
  refused: z.string().nullable(),
  /** Fields of the request; null if they are hidden from the reader. */
  detail: z.unknown(),
  before: z.unknown(),
  after: z.unknown(),
  /** Position in the hash chain; null until the row is sealed. */
  position: z.int().nullable(),
})
export type AuditRow = z.output<typeof row>

export const audit = {
  list: call({
    route: 'GET /admin/audit',
    for: ['admin', 'superadmin'],
    public: { scope: 'audit:read', operation: 'listAudit' },
    does: 'Lists audit rows with actor, call, address and result, newest first, 50 per page. Admins get the rows of their own organisation; superadmins get all rows, or those of the given organisation.',
    limit: limits.searches,
    query: z.strictObject({ ...filter, before: cursor.optional() }),
    reply: z.object({
      rows: z.array(row),
      earlier: z.string().nullable(),
    }),
  }),
  export: call({
    route: 'POST /admin/audit/export',
    for: ['admin', 'superadmin'],
    does: 'Exports the newest 100,000 matching audit rows as CSV, or as JSON lines with their seals.',
    audit: 'exported the audit log',
    limit: limits.exports,
    body: z.strictObject({ ...filter, format: z.enum(['csv', 'jsonl']) }),
    reply: z.string(),
    kind: 'file',
  }),
}
