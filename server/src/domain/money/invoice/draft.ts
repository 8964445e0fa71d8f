import { createHash } from 'node:crypto'
import type { TaxDocument } from '@trainyard/contract/calls/invoice.ts'
import { formatRupees } from '@trainyard/contract/words/money.ts'
import { formatMonth } from '@trainyard/contract/words/tax-document.ts'
import { stringify } from 'safe-stable-stringify'
import type { MonthLine } from '../meter/months.ts'
import { rateOn, readySupplier, supplierProblems } from '../supplier/readiness.ts'
import type { SupplierSettings } from '@trainyard/contract/calls/supplier.ts'
import { type Customer, customerProblems } from './customer.ts'
import { invoiceOf } from './document.ts'

export type Draft =
  | { readonly document: TaxDocument; readonly digest: string }
  /** `isCarried`: the total is below half a rupee, so the usage waits for the next invoice. */
  | { readonly problems: readonly string[]; readonly isCarried?: true }

export function draftOf(
  settings: SupplierSettings,
  customer: Customer,
  month: string,
  lines: readonly MonthLine[],
  day: string,
): Draft {
  const problems = [...supplierProblems(settings), ...customerProblems(customer)]
  const supplier = readySupplier(settings)
  const rate = rateOn(settings, day)
  if (rate === null && settings.rates.length > 0) problems.push('No tax rate is in force yet.')
  if (problems.length > 0 || supplier === null || rate === null) return { problems }
  const groups = Map.groupBy(lines, (line) => `${line.month} ${line.training}`)
  const billed = [...groups.values()].map((group) => ({
    description: descriptionOf(group[0]!.training, group[0]!.month, group),
    taxablePaise: group.reduce((sum, { amount }) => sum + amount, 0),
  }))
  const annex = lines.map(({ machine, training, seconds, amount }) => ({
    machine,
    training,
    seconds,
    amountPaise: amount,
  }))
  const document = invoiceOf(supplier, customer, month, billed, annex, rate)
  if (document.totals.totalPaise === 0) {
    const taxable = formatRupees(document.totals.taxablePaise / 100)
    const words = `${taxable} before tax is below half a rupee. It is carried forward to the next invoice.`
    return { problems: [words], isCarried: true }
  }
  return { document, digest: digestOf(document) }
}

const digestOf = (document: TaxDocument): string =>
  createHash('sha256')
    .update(stringify({ ...document, number: null, date: null })!)
    .digest('hex')

/** INV-01 allows 300 characters and no quotation mark. */
function descriptionOf(training: string, month: string, lines: readonly MonthLine[]): string {
  const seconds = lines.reduce((sum, line) => sum + line.seconds, 0)
  const machines = lines.length === 1 ? '1 machine' : `${lines.length} machines`
  return `Virtual lab machines, ${training.replaceAll('"', '’')}, ${formatMonth(month)}: ${machines}, ${(seconds / 3600).toFixed(2)} hours`
}
