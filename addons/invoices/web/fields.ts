import { numberIn, numberOrNullIn } from '@trainyard/platform/contract/words/money.ts'
import { normaliseTypedCode } from '@trainyard/platform/contract/words/typed-code.ts'
import { ISSUE_DAY_MAX, ISSUE_DAY_MIN } from '@trainyard/ledger/contract/tax-document.ts'
import { ADDRESS_FIELDS, codeOrNull } from './address.ts'
import type { TextField } from '@trainyard/platform/web/forms/TextSettings.tsx'

export const loadShape = () => import('../contract/supplier.ts').then(({ supplier }) => supplier.change.body)

const PREFIX = { read: normaliseTypedCode } as const satisfies Partial<TextField>

export const SUPPLIER = {
  legalName: { label: 'Legal Name' },
  gstin: { label: 'GST Number', read: codeOrNull },
  ...ADDRESS_FIELDS,
  email: { label: 'E-mail', inputMode: 'email' },
  phone: { label: 'Phone', inputMode: 'numeric', description: 'Digits only.', read: codeOrNull },
  signatory: { label: 'Authorised Signatory' },
  cin: {
    label: 'CIN',
    description: 'Corporate identity number. Companies must print it on invoices.',
    read: codeOrNull,
  },
} as const satisfies Record<string, TextField>

export const BANK = {
  bankName: { label: 'Bank' },
  accountName: { label: 'Account Name' },
  accountNumber: { label: 'Account Number', read: codeOrNull },
  ifsc: { label: 'IFSC', read: codeOrNull },
} as const satisfies Record<string, TextField>

export const SERIES = {
  invoicePrefix: { label: 'Prefix of Invoices', description: 'INV gives INV/26-27/00001.', ...PREFIX },
  creditNotePrefix: { label: 'Prefix of Credit Notes', ...PREFIX },
  receiptPrefix: { label: 'Prefix of Receipt Vouchers', ...PREFIX },
  refundPrefix: { label: 'Prefix of Refund Vouchers', ...PREFIX },
  financialNotePrefix: {
    label: 'Prefix of Financial Credit Notes',
    description: 'They replace credit notes that are too late to reduce the tax.',
    ...PREFIX,
  },
  debitNotePrefix: { label: 'Prefix of Debit Notes', ...PREFIX },
  sac: {
    label: 'Accounting Code (SAC)',
    description: '998315: hosting and IT infrastructure provisioning.',
    read: normaliseTypedCode,
  },
} as const satisfies Record<string, TextField>

export const REMINDER_FIELDS = {
  reminders: {
    label: 'Reminders',
    read: (entered) => entered,
    choices: [
      ['off', 'Off'],
      ['on', 'Mailed to the recipients of invoices'],
    ],
  },
  paymentDays: {
    label: 'Days to Pay',
    inputMode: 'numeric',
    description: 'Days from the date of an invoice until it is due.',
    read: numberIn,
  },
  reminderDays: {
    label: 'Remind After Days',
    description: 'Days after the due date, such as 3, 10, 20. One mail on each, until the invoice is paid.',
    read: (entered) =>
      entered
        .split(/[\s,]+/)
        .filter(Boolean)
        .map(Number),
  },
} as const satisfies Record<string, TextField>

const OVERDUE = {
  inputMode: 'numeric',
  read: numberOrNullIn,
} as const satisfies Partial<TextField>

export const OVERDUE_FIELDS = {
  warnDays: {
    label: 'Notice After Days',
    description: 'Days after the due date. Leave empty to skip a step.',
    ...OVERDUE,
  },
  holdDays: { label: 'Hold New Orders After Days', ...OVERDUE },
  stopDays: {
    label: 'Stop Machines After Days',
    description: 'At 22:00 of that day, in the time zone of the customer, until the invoice is paid.',
    ...OVERDUE,
  },
} as const satisfies Record<string, TextField>

export const VOUCHER_FIELDS = {
  vouchersFrom: {
    label: 'Vouchers From',
    type: 'date',
    description: 'Payments from this day on get vouchers. Leave empty to issue none.',
  },
} as const satisfies Record<string, TextField>

export const E_INVOICE_FIELDS = {
  turnover: {
    label: 'Turnover',
    description: 'Aggregate turnover in any financial year since 2017-18.',
    read: (entered) => entered,
    choices: [
      ['up to 5', 'Up to 5 crore rupees: no e-invoices'],
      ['5 to 10', 'More than 5 crore rupees'],
      ['10 or more', '10 crore rupees or more: register within 30 days'],
    ],
  },
} as const satisfies Record<string, TextField>

export const ISSUING_FIELDS = {
  firstMonth: {
    label: 'First Month to Invoice',
    type: 'month',
    description: 'Usage before this month is not invoiced. Leave empty to invoice nothing.',
  },
  issuing: {
    label: 'Issue Invoices',
    read: (entered) => entered,
    choices: [
      ['approval', 'After a superadmin has approved each'],
      ['automatic', 'Automatically, on a day of the month'],
    ],
  },
  issueDay: {
    label: 'Day of the Month',
    inputMode: 'numeric',
    description: `${ISSUE_DAY_MIN} to ${ISSUE_DAY_MAX}, of the following month. Only for automatic issuing.`,
    read: numberIn,
  },
} as const satisfies Record<string, TextField>
