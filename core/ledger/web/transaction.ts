import { basisPointsIn, rupeesIn } from '@trainyard/platform/contract/words/money.ts'
import { tdsSectionOn } from '../contract/entry.ts'

export type TransactionType = 'invoice' | 'payment'

export type TransactionForm = {
  readonly organization: string
  readonly id: string
  readonly amount: string
  /** YYYY-MM-DD, or empty. */
  readonly date: string
  /** Tax deducted from a payment. May be empty. */
  readonly tds: { readonly amount: string }
  /** Amount of an invoice before tax, its rate in per cent and its accounting code. Each may be empty. */
  readonly tax: { readonly taxable: string; readonly basisPoints: string; readonly sac: string }
}

/** Returns the entered invoice or payment as the call takes it. */
export function transactionOf({ organization, id, amount, date, tds, tax }: TransactionForm, type: TransactionType) {
  const { taxable, basisPoints, sac } = tax
  return {
    organization,
    id: id.trim(),
    amount: rupeesIn(amount),
    date,
    type,
    ...(tds.amount.trim() !== '' && { tds: { amount: rupeesIn(tds.amount), section: tdsSectionOn(date) } }),
    ...((taxable + basisPoints + sac).trim() !== '' && {
      tax: {
        taxable: rupeesIn(taxable),
        ...(basisPoints.trim() !== '' && { basisPoints: basisPointsIn(basisPoints) }),
        ...(sac.trim() !== '' && { sac }),
      },
    }),
  }
}
