import * as limits from '@trainyard/platform/contract/limits.ts'
import { HOUR, type Limit } from '@trainyard/platform/contract/limits.ts'
import { z } from 'zod'
import { call, MEGABYTE } from '@trainyard/platform/contract/call.ts'
import {
  CANCELLATION_REASONS,
  CUSTOMER_PLACES,
  DOCUMENT_KINDS,
  ONE_OFF_LINES_MAX,
  SUPPLY_TYPES,
} from '@trainyard/ledger/contract/tax-document.ts'
import {
  email,
  instant,
  message,
  month,
  name,
  positiveRupees,
  requestedInstant,
  selectedOrganisation,
  storedDay,
  taxAmounts,
  organisationName,
} from '@trainyard/platform/contract/shapes.ts'
import { sac } from '@trainyard/ledger/contract/ledger.ts'
import { pin, printableText, state } from './supplier.ts'

/** Each call renders a document while its number series is locked. */
const invoices: Limit = { name: 'invoices', per: 'person', max: 600, seconds: HOUR }

const superadminOnly = ['superadmin'] as const
const readers = ['admin', 'superadmin'] as const

const number = z
  .string()
  .max(16, 'must be the number of a document')
  .regex(/^[0-9A-Za-z/-]+$/, 'must be the number of a document')
  .meta({ examples: ['INV/26-27/0042'] })

const documentRef = z.strictObject({ number })

const address = z.object({
  line1: z.string().meta({ examples: ['12 MG Road'] }),
  line2: z.string().nullable(),
  city: z.string().meta({ examples: ['Bengaluru'] }),
  pin: z
    .string()
    .nullable()
    .meta({ examples: ['560001'] }),
  state: z.object({ code: z.string().meta({ examples: ['29'] }), name: z.string().meta({ examples: ['Karnataka'] }) }),
  /** Two-letter country code such as AE; null for India. */
  country: z.string().nullable(),
})

const taxDocument = z.object({
  kind: z.enum(DOCUMENT_KINDS),
  number: z
    .string()
    .nullable()
    .meta({ examples: ['INV/26-27/0042'] }),
  date: storedDay.nullable().meta({ examples: ['2026-12-01'] }),
  /**
   * Only issued invoices and debit notes have a due date. Documents stored by older versions of the portal lack this
   * field and the other optional fields.
   */
  dueOn: storedDay
    .nullable()
    .optional()
    .meta({ examples: ['2026-12-16'] }),
  month: z
    .string()
    .nullable()
    .meta({ examples: ['2026-11'] }),
  supplier: z.object({
    legalName: z.string().meta({ examples: ['Trainyard Services Private Limited'] }),
    gstin: z.string().meta({ examples: ['29AAACA1234F1Z5'] }),
    address,
    email: z
      .string()
      .nullable()
      .meta({ examples: ['accounts@example.com'] }),
    phone: z.string().nullable(),
    bank: z
      .object({
        bankName: z.string().meta({ examples: ['State Bank of India'] }),
        accountName: z.string().meta({ examples: ['Trainyard Services Private Limited'] }),
        accountNumber: z.string().meta({ examples: ['00001234567890'] }),
        ifsc: z.string().meta({ examples: ['SBIN0000001'] }),
      })
      .nullable(),
    signatory: z.string().meta({ examples: ['Meera Nair'] }),
    cin: z
      .string()
      .nullable()
      .optional()
      .meta({ examples: ['U72200KA2013PTC097389'] }),
  }),
  customer: z.object({
    legalName: z.string().meta({ examples: ['Acme Learning Private Limited'] }),
    gstin: z
      .string()
      .nullable()
      .meta({ examples: ['29AAACA1234F1Z5'] }),
    address,
    purchaseOrder: z
      .string()
      .nullable()
      .optional()
      .meta({ examples: ['PO-4711'] }),
    costCentre: z
      .string()
      .nullable()
      .optional()
      .meta({ examples: ['Training 12'] }),
  }),
  supplyType: z.enum(SUPPLY_TYPES),
  placeOfSupply: z.object({
    code: z.string().meta({ examples: ['29'] }),
    name: z.string().meta({ examples: ['Karnataka'] }),
  }),
  localTax: z.enum(['SGST', 'UTGST']),
  reverseCharge: z.boolean().meta({ examples: [false] }),
  /** Statement required on exports and on supplies to an SEZ. */
  endorsement: z.string().nullable(),
  items: z.array(
    z.object({
      description: z.string().meta({ examples: ['Python for beginners'] }),
      sac: z.string().meta({ examples: ['998315'] }),
      /** Hundredths of a per cent, CGST and SGST together. */
      rate: z.int().meta({ examples: [1_800] }),
      /** Discount, already subtracted from the taxable amount. */
      discountPaise: z
        .int()
        .optional()
        .meta({ examples: [13_908] }),
      ...taxAmounts,
      totalPaise: z.int().meta({ examples: [219_589] }),
    }),
  ),
  summary: z.array(
    z.object({
      sac: z.string().meta({ examples: ['998315'] }),
      rate: z.int().meta({ examples: [1_800] }),
      ...taxAmounts,
    }),
  ),
  totals: z.object({
    ...taxAmounts,
    roundOffPaise: z.int().meta({ examples: [0] }),
    totalPaise: z.int().meta({ examples: [219_589] }),
  }),
  words: z.string().meta({ examples: ['Rupees two thousand one hundred ninety-five and eighty-nine paise'] }),
  lines: z.array(
    z.object({
      machine: z.string().meta({ examples: ['python-a'] }),
      training: z.string().meta({ examples: ['Python for beginners'] }),
      /** Present if the customer wants the invoice to list its learners. */
      learner: z
        .string()
        .optional()
        .meta({ examples: ['Asha Rao'] }),
      seconds: z.int().meta({ examples: [3_600] }),
      amountPaise: z.int().meta({ examples: [186_092] }),
    }),
  ),
  /** Document to which a credit note, debit note or refund voucher refers, or the payment of a receipt voucher. */
  of: z.object({ number: z.string(), date: z.string() }).nullable(),
  reason: z.string().nullable(),
})
export type TaxDocument = z.output<typeof taxDocument>

const listed = z.object({
  number: z.string().meta({ examples: ['INV/26-27/0042'] }),
  kind: z.enum(DOCUMENT_KINDS),
  date: z.string().meta({ examples: ['2026-12-01'] }),
  organization: z.string().meta({ examples: ['Acme Learning'] }),
  month: z
    .string()
    .nullable()
    .meta({ examples: ['2026-11'] }),
  of: z.string().nullable(),
  totalPaise: z.int().meta({ examples: [219_589] }),
  creditedPaise: z.int().meta({ examples: [0] }),
  registered: z.boolean(),
  /** True if the registration is cancelled. The document is no longer valid, and its ledger entry is reversed. */
  cancelled: z.boolean().meta({ examples: [false] }),
})
export type ListedDocument = z.output<typeof listed>

const billing = {
  /** Null if the organisation's name is used. */
  legalName: printableText(3, 100).nullable(),
  place: z.enum(CUSTOMER_PLACES),
  addressLine1: printableText(1, 100).nullable(),
  addressLine2: printableText(3, 100).nullable(),
  city: printableText(3, 50).nullable(),
  pin: pin.nullable(),
  state: state.nullable(),
  country: z
    .string()
    .max(2)
    .regex(/^[A-Z]{2}$/, 'must be a two-letter country code in capitals, such as AE')
    .nullable(),
  emails: z.array(email).max(10, 'must contain at most 10 addresses'),
  /** Printed on invoices, like the cost centre. */
  purchaseOrder: printableText(1, 50).nullable(),
  costCentre: printableText(1, 50).nullable(),
  /** True if the list of usage of an invoice names the learner of each machine. */
  listLearners: z.boolean(),
} as const

const itemAmounts = z
  .array(z.strictObject({ item: z.int().min(1).max(10_000), amount: positiveRupees('must be more than zero') }))
  .min(1, 'must name an item')
  .max(10_000)

const enteredRupees = positiveRupees('must be more than zero', 'must be rupees with at most two decimals')

export const oneOffLines = z
  .array(
    z.strictObject({
      description: printableText(3, 300),
      /** Accounting code of the service; if absent, the code of the supplier settings applies. */
      sac: sac.optional(),
      /** Rupees before discount and tax. */
      amount: enteredRupees,
      /** Rupees before tax, less than the amount. */
      discount: enteredRupees.optional(),
    }),
  )
  .min(1, 'must contain a line')
  .max(ONE_OFF_LINES_MAX, `must contain at most ${ONE_OFF_LINES_MAX} lines`)
  .superRefine((lines, context) => {
    const refuse = (path: PropertyKey[], text: string) => context.addIssue({ code: 'custom', message: text, path })
    for (const [index, { description, amount, discount = 0 }] of lines.entries()) {
      if (lines.findIndex((other) => other.description === description) < index)
        refuse([index, 'description'], 'Enter a different description in each line.')
      if (discount >= amount) refuse([index, 'discount'], 'must be less than the amount')
    }
  })

export const invoice = {
  customer: call({
    route: 'GET /admin/organization/billing',
    for: readers,
    does: "Returns an organisation's billing details: legal name, address and recipients of documents.",
    query: z.strictObject({ organization: name.optional() }),
    reply: z.object({ ...billing, pin: z.string().nullable(), emails: z.array(z.string()) }),
  }),
  changeCustomer: call({
    route: 'PATCH /admin/organization/billing',
    for: readers,
    does: 'Changes the given billing details of an organisation. Issued documents do not change.',
    audit: 'changed an organisation’s billing details',
    body: z
      .strictObject(billing)
      .partial()
      .extend({ organization: name.optional() })
      .refine(
        ({ organization: _organization, ...changes }) => Object.keys(changes).length > 0,
        'must contain at least one field to change',
      ),
  }),
  preview: call({
    route: 'GET /admin/invoices/preview',
    for: superadminOnly,
    does: 'Lists the uninvoiced usage of a month per organisation, by default of the newest month.',
    query: z.strictObject({ month: month.optional() }),
    reply: z.object({
      problems: z.array(z.string()),
      /** Documents that are withheld from their customers until their registration is recorded, oldest first. */
      awaiting: z.array(
        z.object({
          number: z.string(),
          organization: z.string(),
          date: storedDay,
          /** Last day on which the e-invoice portal accepts the document; null below a turnover of 10 crore rupees. */
          registerBy: storedDay.nullable(),
          /** Days until `registerBy`, negative after it. */
          daysLeft: z.int().nullable(),
        }),
      ),
      months: z.array(z.string()),
      month: z.string().nullable(),
      rows: z.array(
        z.object({
          organization: z.string(),
          taxablePaise: z.int(),
          totalPaise: z.int().nullable(),
          /** Digest of the draft, which the call that issues it requires. Null if the invoice cannot be issued. */
          digest: z.string().nullable(),
          problems: z.array(z.string()),
          /** Number of the cancelled invoice of the month. The month is then not issued automatically. */
          cancelled: z.string().nullable(),
        }),
      ),
    }),
  }),
  draft: call({
    route: 'GET /admin/invoices/draft',
    for: superadminOnly,
    does: "Returns an organisation's invoice for a month as it would be issued now. 409 if it cannot be issued.",
    query: z.strictObject({ organization: name, month }),
    reply: z.object({
      document: taxDocument,
      /** Digest of the draft. The call that issues it requires this value, and fails if the draft has changed since. */
      digest: z.string(),
    }),
  }),
  issue: call({
    route: 'POST /admin/invoices',
    for: superadminOnly,
    does: "Issues an organisation's invoice for a month with the content of its draft. There is one invoice per organisation and month.",
    audit: 'issued an invoice',
    limit: invoices,
    body: z.strictObject({ organization: name, month, digest: z.string().max(64) }),
    reply: message.extend({ number: z.string() }),
    once: true,
  }),
  list: call({
    route: 'GET /admin/invoices',
    for: readers,
    public: { scope: 'invoice:read', operation: 'listInvoices' },
    does: 'Lists issued documents, newest first, at most 500. Admins receive the documents of their own organisation. Superadmins receive those of the given organisation, or of all organisations.',
    query: z.strictObject({
      organization: organisationName.optional(),
      before: number.optional(),
    }),
    reply: z.object({
      documents: z.array(listed),
      earlier: z.string().nullable(),
    }),
  }),
  read: call({
    route: 'GET /admin/invoice',
    for: readers,
    public: { scope: 'invoice:read', operation: 'getInvoice' },
    does: 'Returns an issued document with its credit and debit notes and its e-invoice registration.',
    query: documentRef,
    reply: z.object({
      organization: z.string().meta({ examples: ['Acme Learning'] }),
      document: taxDocument,
      credited: z.object({
        items: z.array(z.int()).meta({ examples: [[]] }),
        totalPaise: z.int().meta({ examples: [0] }),
      }),
      notes: z.array(z.string()).meta({ examples: [[]] }),
      debitNotes: z.array(z.string()).meta({ examples: [[]] }),
      /** Taxable amount of each item with its debit notes, less its credit notes. */
      leftPaise: z.array(z.int()).meta({ examples: [[186_092]] }),
      /** Last day on which a credit note reduces the tax of an invoice; null for other documents. */
      taxCreditUntil: storedDay.nullable().meta({ examples: ['2027-11-30'] }),
      registration: z
        .object({ irn: z.string(), ackNumber: z.string(), ackDate: instant, signedQr: z.string() })
        .nullable(),
      expectedIrn: z.string().meta({ examples: ['0'.repeat(64)] }),
      /** Cancellation of the registration at the e-invoice portal. */
      cancellation: z.object({ cancelledAt: instant, reason: z.enum(CANCELLATION_REASONS) }).nullable(),
    }),
  }),
  credit: call({
    route: 'POST /admin/invoice/credit',
    for: superadminOnly,
    does: 'Issues a credit note for items of an invoice. Amounts are in rupees before tax and cannot exceed what is left of an item. After 30 November following the financial year of the invoice, it is a financial credit note, which does not reduce the tax.',
    audit: 'issued a credit note',
    limit: invoices,
    size: { bytes: MEGABYTE, values: 31_000 },
    body: z.strictObject({
      number,
      reason: printableText(3, 200),
      items: itemAmounts,
    }),
    reply: message.extend({ number: z.string() }),
    once: true,
  }),
  debit: call({
    route: 'POST /admin/invoice/debit',
    for: superadminOnly,
    does: 'Issues a debit note for items of an invoice that was too low. Amounts are in rupees before tax. The tax rates of the invoice apply.',
    audit: 'issued a debit note',
    limit: invoices,
    size: { bytes: MEGABYTE, values: 31_000 },
    body: z.strictObject({ number, reason: printableText(3, 200), items: itemAmounts }),
    reply: message.extend({ number: z.string() }),
    once: true,
  }),
  draftOneOff: call({
    route: 'POST /admin/invoices/one-off/draft',
    for: superadminOnly,
    does: 'Returns an invoice with the given lines as it would be issued now. 409 if it cannot be issued.',
    audit: 'previewed a one-off invoice',
    body: z.strictObject({ organization: selectedOrganisation, lines: oneOffLines }),
    reply: z.object({ document: taxDocument, digest: z.string() }),
  }),
  issueOneOff: call({
    route: 'POST /admin/invoices/one-off',
    for: superadminOnly,
    does: 'Issues an invoice with the given lines, for example a one-off fee, at the tax rate of the day. Fails if the invoice would differ from the draft with this digest.',
    audit: 'issued a one-off invoice',
    limit: invoices,
    body: z.strictObject({ organization: name, lines: oneOffLines, digest: z.string().max(64) }),
    reply: message.extend({ number: z.string() }),
    once: true,
  }),
  register: call({
    route: 'POST /admin/invoice/registration',
    for: superadminOnly,
    does: "Records a document's registration at the e-invoice portal: IRN, acknowledgement and signed QR code.",
    audit: 'recorded an e-invoice registration',
    limit: invoices,
    body: z.strictObject({
      number,
      irn: z
        .string()
        .max(64)
        .regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits (0-9, a-f)'),
      ackNumber: z
        .string()
        .max(20)
        .regex(/^[0-9]{1,20}$/, 'must be digits'),
      ackDate: requestedInstant,
      signedQr: z
        .string()
        .max(2_000)
        .regex(/^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/, 'must be the signed code as the portal sent it'),
    }),
    once: true,
  }),
  cancel: call({
    route: 'POST /admin/invoice/cancel',
    for: superadminOnly,
    does: 'Records the cancellation of a document at the e-invoice portal, which is possible within 24 hours of its registration. The ledger entry is reversed, and the usage that the document charged can be invoiced again.',
    audit: 'recorded the cancellation of an e-invoice',
    limit: invoices,
    body: z.strictObject({
      number,
      cancelledAt: requestedInstant,
      reason: z.enum(CANCELLATION_REASONS, {
        error: ({ input }) => (input === '' ? 'Choose the reason.' : undefined),
      }),
    }),
    once: true,
  }),
  pdf: call({
    route: 'POST /admin/invoice/pdf',
    for: readers,
    public: { scope: 'invoice:read', operation: 'downloadInvoice', produces: 'application/pdf' },
    does: 'Returns an issued document as a PDF.',
    audit: 'saved a document as PDF',
    limit: limits.documents,
    body: documentRef,
    reply: z.string(),
    kind: 'file',
  }),
  json: call({
    route: 'POST /admin/invoice/json',
    for: readers,
    public: { scope: 'invoice:read', operation: 'downloadInvoiceJson', produces: 'application/json' },
    does: 'Returns an issued invoice, credit note or debit note in the e-invoice format INV-01 1.1, which the website of the e-invoice portal accepts.',
    audit: 'saved a document as INV-01',
    limit: limits.documents,
    body: documentRef,
    reply: z.string(),
    kind: 'file',
  }),
}

/** Calls of the group `meter`. */
export const unchargedUsage = {
  uncharged: call({
    route: 'GET /admin/usage/uncharged',
    for: ['superadmin'],
    does: 'Lists the last twelve completed months, newest first, with their uninvoiced usage.',
    query: z.strictObject({ organization: name }),
    reply: z.object({ months: z.array(z.object({ month: z.string(), amountPaise: z.int() })) }),
  }),
}

/** Texts that follow the portal's name in the audit log: actions that are no calls. */
export const invoiceActions = {
  'invoice.voucher': 'issued a voucher for an advance payment',
} as const

type UnchargedUsage = typeof unchargedUsage

declare module '@trainyard/platform/contract/contract.ts' {
  interface MeterCalls extends UnchargedUsage {}
  interface Contract {
    invoice: typeof invoice
  }
}
