import { z } from 'zod'
import { defineCall } from '../call.ts'
import { email, instant, name } from './shapes.ts'

/** The place of a row in another answer. */
const mark = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z\.\d{1,15}$/, 'must be what an earlier answer gave')
  .refine((text) => z.iso.datetime().safeParse(text.slice(0, 27)).success, 'must be what an earlier answer gave')

/** Rows that are asked for: all of these hold of each. */
const filter = {
  /** Superadmins alone: of this organisation; left out: of all. */
  organization: name.optional(),
  /** Words of the row, whatever they name; the last by its beginning. */
  text: z
    .string()
    .max(100, 'must be at most 100 characters long')
    .refine((text) => /[\p{L}\p{N}]/u.test(text), 'must hold a letter or a digit')
    .optional(),
  person: email.optional(),
  call: z
    .string()
    .max(60)
    .regex(/^[A-Za-z]+\.[A-Za-z]+$/, 'must be a call such as machine.order')
    .optional(),
  from: instant.optional(),
  until: instant.optional(),
}

const row = z.object({
  id: z.int(),
  at: instant,
  call: z.string(),
  /** The e-mail of who did it, or claimed to be; null: the portal itself. */
  person: z.string().nullable(),
  role: z.string().nullable(),
  organization: z.string().nullable(),
  address: z.string().nullable(),
  /** The problem's code; null: it was done. */
  refused: z.string().nullable(),
  /** Fields of the call as they were asked; null: not told. */
  detail: z.unknown(),
  before: z.unknown(),
  after: z.unknown(),
  /** The row's place in the chain; null: it has none yet. */
  position: z.int().nullable(),
})
export type AuditRow = z.output<typeof row>

export const audit = {
  list: defineCall({
    method: 'GET',
    path: '/admin/audit',
    roles: ['admin', 'superadmin'],
    summary:
      "Who did what, from where, with which result: the newest first, 50 at a time. An admin's own organisation; for a superadmin all, or the one that is named.",
    query: z.strictObject({ ...filter, before: mark.optional() }),
    reply: z.object({
      rows: z.array(row),
      /** Asks, as `before`, for the rows before these; null: there are none. */
      earlier: z.string().nullable(),
    }),
  }),
  export: defineCall({
    method: 'POST',
    path: '/admin/audit/export',
    roles: ['admin', 'superadmin'],
    summary: 'The same rows as a file, the newest 100,000: CSV, or JSON lines with their seals.',
    body: z.strictObject({ ...filter, format: z.enum(['csv', 'jsonl']) }),
    reply: z.string(),
    file: true,
  }),
}
