import { z } from 'zod'
import { defineCall } from '../call.ts'
import { CUSTOMER_PLACES, DOCUMENT_KINDS, SUPPLY_TYPES } from '../words/tax-document.ts'
import { email, instant, message, month, name, sum } from './shapes.ts'
import { pin, printed, state } from './supplier.ts'

const roles = ['superadmin'] as const
const readers = ['admin', 'superadmin'] as const

const number = z
  .string()
  .max(16, 'must be the number of a document')
  .regex(/^[0-9A-Za-z/-]+$/, 'must be the number of a document')

const whichDocument = z.strictObject({ number })

const address = z.object({
  line1: z.string(),
  line2: z.string().nullable(),
  city: z.string(),
  /** null: outside India. */
  pin: z.string().nullable(),
  state: z.object({ code: z.string(), name: z.string() }),
  /** By two capitals, such as AE; null: India. */
  country: z.string().nullable(),
})

const money = {
  taxablePaise: z.int(),
  cgstPaise: z.int(),
  /** Of the state, or of the union territory. */
  sgstPaise: z.int(),
  igstPaise: z.int(),
} as const

/** A document as it is issued: all that its page, its PDF and its INV-01 say. */
const taxDocument = z.object({
  kind: z.enum(DOCUMENT_KINDS),
  /** null: it is not issued yet. */
  number: z.string().nullable(),
  date: z.iso.date().nullable(),
  /** The month whose usage it bills. */
  month: z.string().nullable(),
  supplier: z.object({
    legalName: z.string(),
    gstin: z.string(),
    address,
    email: z.string().nullable(),
    phone: z.string().nullable(),
    bank: z
      .object({ bankName: z.string(), accountName: z.string(), accountNumber: z.string(), ifsc: z.string() })
      .nullable(),
    signatory: z.string(),
  }),
  customer: z.object({ legalName: z.string(), gstin: z.string().nullable(), address }),
  supplyType: z.enum(SUPPLY_TYPES),
  placeOfSupply: z.object({ code: z.string(), name: z.string() }),
  localTax: z.enum(['SGST', 'UTGST']),
  reverseCharge: z.boolean(),
  /** The sentence that an export or a supply to an SEZ must carry. */
  endorsement: z.string().nullable(),
  items: z.array(
    z.object({
      description: z.string(),
      sac: z.string(),
      /** Hundredths of a per cent, CGST and SGST together. */
      rate: z.int(),
      ...money,
      totalPaise: z.int(),
    }),
  ),
  /** By accounting code and rate. */
  summary: z.array(z.object({ sac: z.string(), rate: z.int(), ...money })),
  totals: z.object({ ...money, roundOffPaise: z.int(), totalPaise: z.int() }),
  words: z.string(),
  /** The metered lines behind the items, a machine each. */
  lines: z.array(z.object({ machine: z.string(), training: z.string(), seconds: z.int(), amountPaise: z.int() })),
  /** The document that a credit note or a refund voucher is against, or the payment of a receipt voucher. */
  of: z.object({ number: z.string(), date: z.string() }).nullable(),
  reason: z.string().nullable(),
})
export type TaxDocument = z.output<typeof taxDocument>

const listed = z.object({
  number: z.string(),
  kind: z.enum(DOCUMENT_KINDS),
  date: z.string(),
  organization: z.string(),
  month: z.string().nullable(),
  /** The number of the document that it is about. */
  of: z.string().nullable(),
  totalPaise: z.int(),
  creditedPaise: z.int(),
  registered: z.boolean(),
})
export type ListedDocument = z.output<typeof listed>

const billing = {
  /** null: the organisation's own name. */
  legalName: printed(3, 100).nullable(),
  place: z.enum(CUSTOMER_PLACES),
  addressLine1: printed(1, 100).nullable(),
  addressLine2: printed(3, 100).nullable(),
  city: printed(3, 50).nullable(),
  pin: pin.nullable(),
  state: state.nullable(),
  country: z
    .string()
    .max(2)
    .regex(/^[A-Z]{2}$/, 'must be a country by two capital letters, such as AE')
    .nullable(),
  emails: z.array(email).max(10, 'must be at most 10'),
} as const

export const invoice = {
  customer: defineCall({
    method: 'GET',
    path: '/admin/organization/billing',
    roles: readers,
    summary: 'How an organisation is billed: legal name, address, and who is mailed its documents.',
    query: z.strictObject({ organization: name.optional() }),
    reply: z.object({ ...billing, emails: z.array(z.string()) }),
  }),
  changeCustomer: defineCall({
    method: 'PATCH',
    path: '/admin/organization/billing',
    roles: readers,
    summary: 'Changes what is named of how an organisation is billed. Issued documents stay as they are.',
    body: z
      .strictObject(billing)
      .partial()
      .extend({ organization: name.optional() })
      .refine(
        ({ organization: _organization, ...changes }) => Object.keys(changes).length > 0,
        'must name what is to be changed',
      ),
    reply: message,
  }),
  preview: defineCall({
    method: 'GET',
    path: '/admin/invoices/preview',
    roles,
    summary:
      'What the monthly run has to invoice: of each organisation the usage of a month that no invoice charges yet, newest month by default.',
    query: z.strictObject({ month: month.optional() }),
    reply: z.object({
      /** The supplier's settings that are missing; with any nothing can be issued. */
      problems: z.array(z.string()),
      /** Months that have ended since invoices began, newest first. */
      months: z.array(z.string()),
      month: z.string().nullable(),
      rows: z.array(
        z.object({
          organization: z.string(),
          taxablePaise: z.int(),
          /** null: it can't be said before the problems are settled. */
          totalPaise: z.int().nullable(),
          problems: z.array(z.string()),
        }),
      ),
    }),
  }),
  draft: defineCall({
    method: 'GET',
    path: '/admin/invoices/draft',
    roles,
    summary: "An organisation's invoice of a month as it would be issued now. 409 where it can't be.",
    query: z.strictObject({ organization: name, month }),
    reply: z.object({
      document: taxDocument,
      /** Stands for this content: issuing names it, and is refused once it would be another. */
      digest: z.string(),
    }),
  }),
  issue: defineCall({
    method: 'POST',
    path: '/admin/invoices',
    roles,
    summary: "Issues an organisation's invoice of a month, as its draft was seen. One an organisation and month.",
    body: z.strictObject({ organization: name, month, digest: z.string().max(64) }),
    reply: message.extend({ number: z.string() }),
    creates: true,
  }),
  list: defineCall({
    method: 'GET',
    path: '/admin/invoices',
    roles: readers,
    summary:
      "Issued documents, the newest first, at most 500. An admin's own organisation's; a superadmin's of all, or of one.",
    query: z.strictObject({
      organization: name.optional(),
      /** Documents older than this one. */
      before: number.optional(),
    }),
    reply: z.object({
      documents: z.array(listed),
      /** Asks, as `before`, for older ones; null when there are none. */
      earlier: z.string().nullable(),
    }),
  }),
  read: defineCall({
    method: 'GET',
    path: '/admin/invoice',
    roles: readers,
    summary: 'An issued document as it stands, and what came of it.',
    query: whichDocument,
    reply: z.object({
      organization: z.string(),
      document: taxDocument,
      /** Taken off each item, and off all of it, by credit notes or refund vouchers. */
      credited: z.object({ items: z.array(z.int()), totalPaise: z.int() }),
      /** Numbers of those. */
      notes: z.array(z.string()),
      registration: z
        .object({ irn: z.string(), ackNumber: z.string(), ackDate: instant, signedQr: z.string() })
        .nullable(),
      /** The reference number that the portal will give it. */
      expectedIrn: z.string(),
    }),
  }),
  credit: defineCall({
    method: 'POST',
    path: '/admin/invoice/credit',
    roles,
    summary: 'Issues a credit note against an invoice: of some items, by rupees before tax, never more than is left.',
    body: z.strictObject({
      number,
      reason: printed(3, 200),
      items: z
        .array(
          z.strictObject({
            /** From 1, as the invoice counts them. */
            item: z.int().min(1).max(10_000),
            amount: sum('must be more than zero'),
          }),
        )
        .min(1, 'must name an item')
        .max(10_000),
    }),
    reply: message.extend({ number: z.string() }),
    creates: true,
  }),
  register: defineCall({
    method: 'POST',
    path: '/admin/invoice/registration',
    roles,
    summary: 'Records what the e-invoice portal answered for a document: its IRN, acknowledgement and signed QR code.',
    body: z.strictObject({
      number,
      irn: z
        .string()
        .max(64)
        .regex(/^[0-9a-f]{64}$/, 'must be 64 digits and letters a to f'),
      ackNumber: z
        .string()
        .max(20)
        .regex(/^[0-9]{1,20}$/, 'must be digits'),
      ackDate: instant,
      signedQr: z
        .string()
        .max(2_000)
        .regex(/^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/, 'must be the signed code as the portal sent it'),
    }),
    reply: message,
    creates: true,
  }),
  pdf: defineCall({
    method: 'POST',
    path: '/admin/invoice/pdf',
    roles: readers,
    summary: 'An issued document as a PDF.',
    body: whichDocument,
    reply: z.string(),
    file: true,
  }),
  json: defineCall({
    method: 'POST',
    path: '/admin/invoice/json',
    roles: readers,
    summary: 'An issued invoice or credit note in the form of the e-invoice INV-01 1.1.',
    body: whichDocument,
    reply: z.string(),
    file: true,
  }),
}
