import * as limits from '@trainyard/platform/contract/limits.ts'
import { z } from 'zod'
import { call } from '@trainyard/platform/contract/call.ts'
import { email, instant, requestedInstant, organisationName } from '@trainyard/platform/contract/shapes.ts'

const cursor = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z\.\d{1,15}$/, 'must be a cursor from an earlier reply')
  .refine((text) => requestedInstant.safeParse(text.slice(0, 27)).success, 'must be a cursor from an earlier reply')
  .meta({ examples: ['2026-11-25T09:30:00.000000Z.4711'] })

const filter = {
  /** Superadmins only. */
  organization: organisationName.optional(),
  /** The last word matches as a prefix. */
  text: z
    .string()
    .max(100, 'must be at most 100 characters long')
    .refine((text) => /[\p{L}\p{N}]/u.test(text), 'must contain a letter or a digit')
    .optional()
    .meta({ examples: ['python-a'] }),
  person: email.optional(),
  call: z
    .string()
    .max(60)
    .regex(/^[A-Za-z]+\.[A-Za-z]+$/, 'must be a call such as machine.order')
    .optional()
    .meta({ examples: ['machine.order'] }),
  from: requestedInstant.optional(),
  until: requestedInstant.optional(),
}

const row = z.object({
  id: z.int().meta({ examples: [4_711] }),
  at: instant,
  call: z.string().meta({ examples: ['machine.order'] }),
  /** E-mail of the user who made the call, or the e-mail given in a failed sign-in; null for the portal itself. */
  person: z
    .string()
    .nullable()
    .meta({ examples: ['admin@example.com'] }),
  role: z
    .string()
    .nullable()
    .meta({ examples: ['admin'] }),
  organization: z
    .string()
    .nullable()
    .meta({ examples: ['Acme Learning'] }),
  address: z
    .string()
    .nullable()
    .meta({ examples: ['203.0.113.9'] }),
  refused: z
    .string()
    .nullable()
    .meta({ examples: ['forbidden'] }),
  /** Fields of the request; null if they are hidden from the reader. */
  detail: z.unknown(),
  before: z.unknown(),
  after: z.unknown(),
  /** Position in the hash chain; null until the row is sealed. */
  position: z
    .int()
    .nullable()
    .meta({ examples: [4_711] }),
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

/** Texts that follow the portal's name in the audit log: actions that are no calls. */
export const auditActions = {
  'audit.rotateKey': 'replaced the key that signs the audit log',
  'operator.archiveAudit': 'archived old audit rows',
} as const

declare module '@trainyard/platform/contract/contract.ts' {
  interface Contract {
    audit: typeof audit
  }
}
