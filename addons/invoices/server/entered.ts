import type { BodyOf } from '@trainyard/platform/contract/call.ts'
import type { TaxDocument } from '../contract/invoice.ts'
import type { ledger } from '@trainyard/ledger/contract/ledger.ts'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import { formatRupees, paiseOfRupees } from '@trainyard/platform/contract/words/money.ts'
import { conflict } from '@trainyard/platform/server/core/errors.ts'
import type { AnswerTo } from '@trainyard/platform/server/core/events.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { rateOn, readySupplier, supplierProblems } from './supplier/readiness.ts'
import { supplierSettings } from './supplier/settings.ts'
import type { adding } from '@trainyard/ledger/server/adding.ts'
import { lockCharging } from '@trainyard/usage/server/months.ts'
import { coverMonth } from './charging.ts'
import { customerProblems, customers } from './customer.ts'
import { figuresOf, invoiceOf } from './document.ts'

type EnteredTax = NonNullable<BodyOf<typeof ledger.add>['tax']>

/** Difference between the entered amount and the computed one that counts as rounding, in paise. */
const ROUND_OFF_MAX = 100

/**
 * Returns an invoice that a user enters as a tax document. The place of supply follows from the customer's tax status on
 * the invoice's date. @throws Problem conflict if settings are missing, or if the amount does not match the tax
 */
async function enteredInvoice(
  db: Db,
  organisation: OrganisationId,
  { id, date, amount }: { readonly id: string; readonly date: string; readonly amount: number },
  tax: EnteredTax,
): Promise<TaxDocument> {
  const settings = await supplierSettings(db)
  const customer = (await customers(db, organisation, date))[0]!
  const supplier = readySupplier(settings)
  const rate = tax.basisPoints ?? rateOn(settings, date)
  const problems = [...supplierProblems(settings), ...customerProblems(customer)]
  if (rate === null && problems.length === 0) problems.push('No tax rate was in force on this date. Enter the rate.')
  if (supplier === null || rate === null || problems.length > 0) throw conflict(problems.join(' '))
  const billed = {
    description: `Invoice ${id}`,
    taxablePaise: paiseOfRupees(tax.taxable)!,
    ...(tax.sac !== undefined && { sac: tax.sac }),
  }
  const document = invoiceOf(supplier, customer, null, [billed], [], rate, date)
  const exact = document.totals.totalPaise - document.totals.roundOffPaise
  const roundOff = amount - exact
  if (Math.abs(roundOff) > ROUND_OFF_MAX) {
    throw conflict(
      `${formatRupees(tax.taxable)} before tax is ${formatRupees(exact / 100)} with tax, but the amount is ${formatRupees(amount / 100)}. Correct one of them.`,
    )
  }
  return { ...document, ...figuresOf(document.items, roundOff), number: id, date }
}

/** Adds to an invoice that a user enters its tax document, and the usage that it covers. */
export const enteredAdded: AnswerTo<typeof adding> = async (tx, { organisation, body, amount }) => {
  const { covers, tax, id, date } = body
  // Locked before the entry is added: issuing an invoice takes the locks in the same order.
  if (covers !== undefined) await lockCharging(tx, organisation.id)
  const document = tax && (await enteredInvoice(tx, organisation.id, { id, date, amount }, tax))
  return [
    {
      adds: ['covers', 'tax'],
      ...(document && { document }),
      async complete() {
        if (covers !== undefined) await coverMonth(tx, organisation, covers, id)
      },
    },
  ]
}
