import { paise, rupeesOfPaise } from '@trainyard/contract/words/money.ts'
import type { Order } from './checkout.ts'
import type { Page } from './statement.ts'

/** A payment whose end nobody has told this page: it is credited all the same, and this page looks for it. */
export interface Unsettled {
  readonly order: Order
  /** The numbers of the payments that stood before it. */
  readonly known: ReadonlySet<string>
  readonly why: string
}

export const paymentsIn = ({ transactions }: Page): ReadonlySet<string> =>
  new Set(transactions.filter(({ payment }) => payment !== null).map(({ id }) => id))

/** The entry that such a payment became, once it stands. */
export function arrivalOf(
  { order, known }: Unsettled,
  { transactions }: Page,
): Page['transactions'][number] | undefined {
  const amount = rupeesOfPaise(paise(order.amount))
  return transactions.findLast(({ id, payment }) => payment === amount && !known.has(id))
}
