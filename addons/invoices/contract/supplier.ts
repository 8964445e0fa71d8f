import { z } from 'zod'
import { call } from '@trainyard/platform/contract/call.ts'
import {
  CIN_PATTERN,
  IFSC_PATTERN,
  ISSUE_DAY_MAX,
  ISSUE_DAY_MIN,
  ISSUING,
  PIN_PATTERN,
  PREFIX_PATTERN,
  PRINTABLE_PATTERN,
  TURNOVERS,
} from '@trainyard/ledger/contract/tax-document.ts'
import { isReminderDays, PAYMENT_DAYS_MAX, REMINDER_STEPS_MAX, REMINDERS, OVERDUE_DAYS_MAX } from './payment-terms.ts'
import { isFinancialYear } from '@trainyard/ledger/contract/entry.ts'
import { GST_STATES } from '@trainyard/organisations/contract/gst.ts'
import { basisPoints, sac, typedCode } from '@trainyard/ledger/contract/ledger.ts'
import { gst } from '@trainyard/organisations/contract/organisation.ts'
import { day, email, month, storedDay } from '@trainyard/platform/contract/shapes.ts'

const roles = ['superadmin'] as const

/** Returns a schema for text that the e-invoice format INV-01 accepts, with INV-01's minimum and maximum length. */
export const printableText = (least: number, most: number) =>
  z
    .string()
    .min(least, least === 1 ? 'must not be empty' : `must be at least ${least} characters long`)
    .max(most, `must be at most ${most} characters long`)
    .refine((text) => text === text.trim(), 'must not begin or end with a space')
    .refine(
      (text) => PRINTABLE_PATTERN.test(text),
      'must use Latin letters or an Indian script, without quotation marks',
    )

export const pin = typedCode(PIN_PATTERN, 'must be six digits, such as 560001')
export const state = z
  .string()
  .max(2)
  .refine((code) => code in GST_STATES && code !== '99', 'must be the code of a state, such as 29')
const phone = typedCode(/^[0-9]{6,12}$/, 'must be 6 to 12 digits')

const prefix = z
  .string()
  .max(4, 'must be at most 4 characters long')
  .regex(PREFIX_PATTERN, 'must be 1 to 4 capital letters or digits that do not begin with 0')

/** Days after the due date of an invoice, or null if the step does not apply. */
export const overdueDays = z
  .int('must be a whole number of days')
  .min(0, 'must be 0 to 365')
  .max(OVERDUE_DAYS_MAX, 'must be 0 to 365')
  .nullable()

const REMINDER_DAYS = 'Enter one to five days, each later than the one before, such as 3, 10, 20.'

const taxRate = z.strictObject({ from: day, basisPoints })

const fields = {
  legalName: printableText(3, 100).nullable(),
  gstin: gst.nullable(),
  addressLine1: printableText(1, 100).nullable(),
  addressLine2: printableText(3, 100).nullable(),
  city: printableText(3, 50).nullable(),
  pin: pin.nullable(),
  state: state.nullable(),
  email: email.nullable(),
  phone: phone.nullable(),
  bankName: printableText(3, 100).nullable(),
  accountName: printableText(3, 100).nullable(),
  accountNumber: typedCode(/^[0-9A-Z]{4,18}$/, 'must be 4 to 18 letters or digits').nullable(),
  ifsc: typedCode(IFSC_PATTERN, 'must be an IFSC such as HDFC0000123').nullable(),
  signatory: printableText(3, 100).nullable(),
  /** Corporate identity number; null if the supplier is not a company. */
  cin: typedCode(CIN_PATTERN, 'must be a CIN such as U72200KA2013PTC097389').nullable(),
  /** Letters of undertaking for exports and SEZ supplies without tax. Tax is due in a financial year without one. */
  undertakings: z
    .array(
      z.strictObject({
        year: z.string().max(5).refine(isFinancialYear, 'must be a financial year such as 26-27'),
        number: printableText(3, 30),
      }),
    )
    .max(50, 'must be at most 50')
    .refine((all) => new Set(all.map(({ year }) => year)).size === all.length, 'must name each financial year once'),
  sac,
  invoicePrefix: prefix,
  creditNotePrefix: prefix,
  receiptPrefix: prefix,
  refundPrefix: prefix,
  financialNotePrefix: prefix,
  debitNotePrefix: prefix,
  vouchersFrom: day.nullable(),
  /** In crore rupees. Decides whether documents are registered at the e-invoice portal before they are sent. */
  turnover: z.enum(TURNOVERS),
  issuing: z.enum(ISSUING),
  issueDay: z.int('must be a whole number').min(ISSUE_DAY_MIN).max(ISSUE_DAY_MAX),
  /** First month to invoice; null turns invoicing off. */
  firstMonth: month.nullable(),
  reminders: z.enum(REMINDERS),
  paymentDays: z.int('must be a whole number').min(0, 'must be 0 to 180').max(PAYMENT_DAYS_MAX, 'must be 0 to 180'),
  reminderDays: z
    .array(z.int(REMINDER_DAYS))
    .max(REMINDER_STEPS_MAX, REMINDER_DAYS)
    .refine(isReminderDays, REMINDER_DAYS),
  /**
   * Days after the due date of an invoice on which the steps for overdue invoices begin. Null if the step does not
   * apply.
   */
  warnDays: overdueDays,
  holdDays: overdueDays,
  stopDays: overdueDays,
  rates: z.array(taxRate).max(50, 'must be at most 50'),
} as const

/** Stored values are returned without validation or normalisation. */
const settings = z.object({
  ...fields,
  gstin: z.string().nullable(),
  pin: z.string().nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  accountNumber: z.string().nullable(),
  ifsc: z.string().nullable(),
  cin: z.string().nullable(),
  sac: z.string(),
  vouchersFrom: storedDay.nullable(),
  rates: z.array(taxRate.extend({ from: storedDay })),
})
export type SupplierSettings = z.output<typeof settings>

export const supplier = {
  read: call({
    route: 'GET /admin/supplier',
    for: roles,
    does: "Returns the supplier's settings: name, address, GST number, bank, number series, tax rates and invoicing schedule.",
    reply: settings.extend({
      problems: z.array(z.string()),
    }),
  }),
  change: call({
    route: 'PATCH /admin/supplier',
    for: roles,
    does: 'Changes the given supplier settings. Issued documents do not change.',
    audit: 'changed the supplier’s settings',
    body: z
      .strictObject({ ...fields })
      .partial()
      .refine((changes) => Object.keys(changes).length > 0, 'must contain at least one field to change'),
  }),
}

declare module '@trainyard/platform/contract/contract.ts' {
  interface Contract {
    supplier: typeof supplier
  }
}
