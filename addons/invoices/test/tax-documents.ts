import type { TaxDocument } from '../contract/invoice.ts'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import { paise } from '@trainyard/platform/contract/words/money.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import { addEntry } from '@trainyard/ledger/server/entries.ts'
import type { Customer } from '../server/customer.ts'
import { invoiceOf } from '../server/document.ts'
import { irnOf } from '../server/gst/serial.ts'
import { issueDocument } from '../server/store.ts'
import { chargeLines } from '../server/charging.ts'
import type { MonthLine } from '../server/queries.ts'
import type { ReadySupplier } from '../server/supplier/readiness.ts'

/** A supplier in Karnataka with every field that documents show. */
export const SUPPLIER: ReadySupplier = {
  legalName: 'Trainyard Labs Private Limited',
  gstin: '29AAFCC9980M1ZR',
  addressLine1: '12 Residency Road',
  addressLine2: 'Second floor',
  city: 'Bengaluru',
  pin: '560025',
  state: '29',
  email: 'accounts@trainyard.test',
  phone: '08040001000',
  bankName: 'State Bank of India',
  accountName: 'Trainyard Labs',
  accountNumber: '0012345678',
  ifsc: 'SBIN0000813',
  signatory: 'Asha Rao',
  cin: 'U72200KA2013PTC097389',
  undertakings: [],
  sac: '998315',
  invoicePrefix: 'INV',
  creditNotePrefix: 'CRN',
  receiptPrefix: 'RCV',
  refundPrefix: 'RFV',
  financialNotePrefix: 'FCN',
  debitNotePrefix: 'DBN',
  vouchersFrom: null,
  turnover: 'up to 5',
  issuing: 'approval',
  issueDay: 3,
  firstMonth: '2020-01',
  reminders: 'off',
  paymentDays: 15,
  reminderDays: [3, 10, 20],
  warnDays: null,
  holdDays: null,
  stopDays: null,
  rates: [{ from: '2017-07-01', basisPoints: 1800 }],
}

export const customerNamed = (id: OrganisationId, name: string, overrides: Partial<Customer> = {}): Customer => ({
  id,
  name,
  gst: null,
  legalName: null,
  place: 'india',
  addressLine1: '4 MG Road',
  addressLine2: null,
  city: 'Mysuru',
  pin: '570001',
  state: '29',
  country: null,
  emails: [],
  purchaseOrder: null,
  costCentre: null,
  listLearners: false,
  ...overrides,
})

/** Issues a paid invoice for January 2026, of ten rupees for each machine of an organisation. */
export async function addInvoice(
  tx: Tx,
  organisation: OrganisationId,
  label: string,
): Promise<{ number: string; irn: string }> {
  const month = '2026-01'
  const machines = await tx
    .selectFrom('machine')
    .select(['id', 'name'])
    .where('organisation_id', '=', organisation)
    .execute()
  const lines = machines.map(({ id, name }): MonthLine => ({
    month: `${month}-01`,
    machineId: id,
    machine: name,
    training: label,
    seconds: 3600,
    amount: paise(1_000),
    beforeChange: paise(0),
  }))
  const billed = [{ description: `${label} machines`, taxablePaise: 1_000 * lines.length }]
  const customer = customerNamed(organisation, `${label} school`, { gst: '29AABCR1718E1ZL' })
  const annex = lines.map(({ machine, training, seconds, amount }) => ({
    machine,
    training,
    seconds,
    amountPaise: amount,
  }))
  const document = invoiceOf(SUPPLIER, customer, month, billed, annex, 1800, '2026-02-02')
  const jobs = { enqueue: async () => {} }
  const number = await issueDocument(tx, jobs, { organisation, document, prefix: 'INV', by: label })
  await chargeLines(tx, organisation, number, lines)
  await addEntry(tx, {
    organisation,
    kind: 'payment',
    reference: `paid ${number}`,
    particular: label,
    amount: paise(document.totals.totalPaise),
    date: '2026-01-31',
    source: 'manual',
    by: label,
  })
  const { issued_on } = await tx
    .selectFrom('tax_document')
    .select('issued_on')
    .where('number', '=', number)
    .executeTakeFirstOrThrow()
  return { number, irn: irnOf(SUPPLIER.gstin, 'invoice', number, issued_on) }
}

/** Returns all different amounts of a document that its PDF must show. */
export function amountsOf({ items, summary, totals, lines }: TaxDocument): ReadonlySet<string> {
  const taxes = (['cgstPaise', 'sgstPaise', 'igstPaise'] as const).filter((head) => totals[head] > 0)
  const discounts = items.flatMap(({ discountPaise: discount, taxablePaise }) =>
    discount === undefined ? [] : [discount, taxablePaise + discount],
  )
  const amounts = [
    totals.roundOffPaise,
    totals.totalPaise,
    totals.totalPaise - totals.roundOffPaise,
    ...[...items, ...summary, totals].flatMap((each) => [each.taxablePaise, ...taxes.map((head) => each[head])]),
    ...items.map((item) => item.totalPaise),
    ...lines.map((line) => line.amountPaise),
    ...discounts,
  ]
  const rupees = new Intl.NumberFormat('en-IN', { style: 'currency', currency: 'INR' })
  return new Set(amounts.map((amount) => rupees.format(amount / 100)))
}
