import { givenNameFirst } from '@trainyard/platform/contract/words/person-name.ts'
import { createHash } from 'node:crypto'
import type { TaxDocument } from '../contract/invoice.ts'
import { formatRupees, type Paise, paise } from '@trainyard/platform/contract/words/money.ts'
import { formatMonth } from '@trainyard/ledger/contract/tax-document.ts'
import { stringify } from 'safe-stable-stringify'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { advanceBefore } from '@trainyard/accounting/server/advance.ts'
import { linesToInvoice } from './charging.ts'
import type { MonthLine } from './queries.ts'
import { rateChangeBefore, rateOn, readySupplier, supplierProblems } from './supplier/readiness.ts'
import type { SupplierSettings } from '../contract/supplier.ts'
import { type Customer, customerProblems } from './customer.ts'
import { type BilledItem, invoiceOf } from './document.ts'
import { beforeTax } from './gst/tax.ts'

export type Draft =
  | { readonly document: TaxDocument; readonly digest: string }
  /** `isCarried` is true if the total is below half a rupee, so that the usage waits for the next invoice. */
  | { readonly problems: readonly string[]; readonly isCarried?: true }

export interface UsageToInvoice {
  readonly lines: readonly MonthLine[]
  /**
   * Advance that was received before the current tax rate and bears the previous one; 0 without usage before the
   * change.
   */
  readonly advance: Paise
}

/** Returns the usage that the invoice of a month charges. @param day of the invoice */
export async function usageToInvoice(
  db: Db,
  settings: SupplierSettings,
  organisation: OrganisationId,
  month: string,
  day: string,
): Promise<UsageToInvoice> {
  const change = rateChangeBefore(settings, day)
  const lines = await linesToInvoice(db, organisation, `${month}-01`, change?.from ?? null)
  const isEarlier = change !== null && lines.some(({ beforeChange }) => beforeChange > 0)
  return { lines, advance: isEarlier ? await advanceBefore(db, organisation, change.from) : paise(0) }
}

/**
 * Returns the invoice of a month at the rate of its day. Usage before the last change of the rate bears the previous
 * rate, up to the advance that was received before the change (section 14(a)(iii) of the CGST Act).
 */
export function draftOf(
  settings: SupplierSettings,
  customer: Customer,
  month: string,
  { lines, advance }: UsageToInvoice,
  day: string,
): Draft {
  const problems = [...supplierProblems(settings), ...customerProblems(customer)]
  const supplier = readySupplier(settings)
  const rate = rateOn(settings, day)
  if (rate === null && settings.rates.length > 0) problems.push('No tax rate is in force yet.')
  if (problems.length > 0 || supplier === null || rate === null) return { problems }
  const groups = Map.groupBy(lines, (line) => `${line.month} ${line.training}`)
  const change = rateChangeBefore(settings, day)
  let left = change === null ? 0 : beforeTax(advance, change.previous)
  const billed = [...groups.values()].flatMap((group): BilledItem[] => {
    const description = descriptionOf(group[0]!.training, group[0]!.month, group)
    const taxablePaise = group.reduce((sum, { amount }) => sum + amount, 0)
    const paid = Math.min(
      left,
      group.reduce((sum, { beforeChange }) => sum + beforeChange, 0),
    )
    if (change === null || paid <= 0) return [{ description, taxablePaise }]
    left -= paid
    const advanced = {
      description: `${description}, used and paid before ${change.from}`,
      taxablePaise: paid,
      rate: change.previous,
    }
    return paid === taxablePaise ? [advanced] : [advanced, { description, taxablePaise: taxablePaise - paid }]
  })
  const annex = lines.map(({ machine, training, learner, seconds, amount }) => ({
    machine,
    training,
    ...(customer.listLearners && learner !== undefined && { learner: givenNameFirst(learner) }),
    seconds,
    amountPaise: amount,
  }))
  const document = invoiceOf(supplier, customer, month, billed, annex, rate, day)
  if (document.totals.totalPaise === 0) {
    const taxable = formatRupees(document.totals.taxablePaise / 100)
    const words = `${taxable} before tax is below half a rupee. It is carried forward to the next invoice.`
    return { problems: [words], isCarried: true }
  }
  return { document, digest: digestOf(document) }
}

export const digestOf = (document: TaxDocument): string =>
  createHash('sha256')
    .update(stringify({ ...document, number: null, date: null })!)
    .digest('hex')

/** Returns a description that INV-01 accepts: at most 300 characters without quotation marks. */
function descriptionOf(training: string, month: string, lines: readonly MonthLine[]): string {
  const seconds = lines.reduce((sum, line) => sum + line.seconds, 0)
  const machines = lines.length === 1 ? '1 machine' : `${lines.length} machines`
  return `Virtual lab machines, ${training.replaceAll('"', '’')}, ${formatMonth(month)}: ${machines}, ${(seconds / 3600).toFixed(2)} hours`
}
