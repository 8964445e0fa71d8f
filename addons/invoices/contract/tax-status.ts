import * as limits from '@trainyard/platform/contract/limits.ts'
import { HOUR, type Limit } from '@trainyard/platform/contract/limits.ts'
import { z } from 'zod'
import { call } from '@trainyard/platform/contract/call.ts'
import { CUSTOMER_PLACES, SUPPLY_TYPES } from '@trainyard/ledger/contract/tax-document.ts'
import { STATUS_DOCUMENT_BYTES_MAX, STATUS_REQUEST_STATES, statusProblem } from './tax-status-words.ts'
import { gst } from '@trainyard/organisations/contract/organisation.ts'
import { day, instant, name, newName, reasonOrElse, storedDay } from '@trainyard/platform/contract/shapes.ts'

/** Each request stores a document of up to 700 kB. */
const taxEvidence: Limit = { name: 'tax-status', per: 'organisation', max: 20, seconds: 24 * HOUR }

const readers = ['admin', 'superadmin'] as const

const status = { place: z.enum(CUSTOMER_PLACES), gstin: gst.nullable() } as const
const storedStatus = { place: z.enum(CUSTOMER_PLACES), gstin: z.string().nullable() } as const

const reason = reasonOrElse('Enter the reason.')

/** The part that a request and a change have in common. */
export const statusChange = z
  .strictObject({ ...status, from: day, reason })
  .superRefine(({ place, gstin }, context) => {
    const problem = statusProblem(place, gstin)
    if (problem !== null) context.addIssue({ code: 'custom', message: problem, path: ['gstin'] })
  })

const statusRequest = z.object({
  id: z.uuid(),
  organization: z.string(),
  ...storedStatus,
  from: storedDay,
  reason: z.string(),
  document: z.string(),
  state: z.enum(STATUS_REQUEST_STATES),
  by: z.string(),
  at: instant,
  decidedBy: z.string().nullable(),
  /** Reason of a rejection. */
  answer: z.string().nullable(),
})
export type StatusRequest = z.output<typeof statusRequest>

/** Figures of the next invoice under a tax status; null while it cannot be issued. */
const invoiceFigures = z.object({
  supplyType: z.enum(SUPPLY_TYPES).nullable(),
  taxPaise: z.int().nullable(),
  totalPaise: z.int().nullable(),
  problems: z.array(z.string()),
})

export const taxStatus = {
  read: call({
    route: 'GET /admin/organization/tax-status',
    for: readers,
    does: "Returns the values that determine the tax on an organisation's invoices: the current place and GST number, changes with their dates, and the newest 50 requests.",
    query: z.strictObject({ organization: name.optional() }),
    reply: z.object({
      organization: z.string(),
      current: z.object(storedStatus),
      /** Newest first. Includes future changes. */
      changes: z.array(z.object({ ...storedStatus, from: storedDay, by: z.string(), reason: z.string() })),
      requests: z.array(statusRequest),
    }),
  }),
  open: call({
    route: 'GET /admin/tax-status/requests',
    for: ['superadmin'],
    does: 'Lists the open requests of all organisations to change their tax status, oldest first, at most 500.',
    reply: z.object({ requests: z.array(statusRequest) }),
  }),
  effect: call({
    route: 'GET /admin/organization/tax-status/effect',
    for: readers,
    does: "Compares an organisation's next invoice under the current tax status and under another one. Uses the oldest month that is not invoiced, or the current month so far.",
    query: z.strictObject({
      organization: name.optional(),
      place: z.enum(CUSTOMER_PLACES),
      /** Left out for a customer without a GST number. */
      gstin: gst.optional(),
      from: day,
    }),
    reply: z.object({
      month: z.string(),
      /** The status applies to invoices that are issued from this day on. */
      from: storedDay,
      taxablePaise: z.int(),
      present: invoiceFigures,
      requested: invoiceFigures,
    }),
  }),
  request: call({
    route: 'POST /admin/organization/tax-status/requests',
    for: ['admin'],
    does: "Requests a change of the organisation's tax status, with a document (PDF, PNG or JPEG in base64) as evidence. 409 while another request is open.",
    audit: 'requested a change of the tax status',
    limit: taxEvidence,
    size: 'document',
    body: z.strictObject({
      organization: name.optional(),
      ...status,
      from: day,
      reason,
      document: newName.max(100, 'must be at most 100 characters long'),
      bytes: z
        .string()
        .min(1, 'must not be empty')
        .max(
          Math.ceil(STATUS_DOCUMENT_BYTES_MAX / 3) * 4,
          `must be at most ${STATUS_DOCUMENT_BYTES_MAX / 1024} kB large`,
        )
        .regex(/^[A-Za-z0-9+/]+={0,2}$/, 'must be base64'),
    }),
    once: true,
  }),
  withdraw: call({
    route: 'POST /admin/organization/tax-status/requests/withdraw',
    for: ['admin'],
    does: 'Withdraws an open request.',
    audit: 'withdrew a request to change the tax status',
    body: z.strictObject({ id: z.uuid() }),
  }),
  decide: call({
    route: 'POST /admin/tax-status/requests/decide',
    for: ['superadmin'],
    does: 'Approves an open request, with the given first day or the requested one, or rejects it with a reason. Issued documents do not change.',
    audit: 'decided a request to change the tax status',
    body: z
      .strictObject({
        id: z.uuid(),
        decision: z.enum(['approved', 'rejected']),
        from: day.optional(),
        answer: reasonOrElse('Enter why it is rejected.').optional(),
      })
      .refine(({ decision, answer }) => decision === 'approved' || answer !== undefined, 'answer must give the reason')
      .refine(({ decision, from }) => decision === 'approved' || from === undefined, 'from applies to approvals only'),
  }),
  change: call({
    route: 'POST /admin/organization/tax-status',
    for: ['superadmin'],
    does: "Changes an organisation's tax status from a day on. Issued documents do not change.",
    audit: 'changed an organisation’s tax status',
    body: z.strictObject({ organization: name, ...status, from: day, reason }),
  }),
  document: call({
    route: 'POST /admin/organization/tax-status/requests/document',
    for: readers,
    does: 'Returns the document of a request.',
    audit: 'opened the document of a tax status request',
    limit: limits.documents,
    body: z.strictObject({ id: z.uuid() }),
    reply: z.string(),
    kind: 'file',
  }),
}

declare module '@trainyard/platform/contract/contract.ts' {
  interface Contract {
    taxStatus: typeof taxStatus
  }
}
