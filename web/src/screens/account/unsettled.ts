import { paise, rupeesOfPaise } from '@trainyard/contract/words/money.ts'
import type { Order } from './checkout.ts'
import type { Page } from './statement.ts'

/** A payment whose result this page was not told: it is credited all the same, and this page looks for it. */
export interface Unsettled {
  readonly order: Order
  /** The numbers of the payments before it. */
  readonly known: ReadonlySet<string>
  readonly why: string
}

export const paymentsIn = ({ transactions }: Page): ReadonlySet<string> =>
  new Set(transactions.filter(({ payment }) => payment !== null).map(({ id }) => id))

/** Returns the entry of such a payment, once there is one. */
export function arrivalOf(
  { order, known }: Unsettled,
  { transactions }: Page,
): Page['transactions'][number] | undefined {
  const amount = rupeesOfPaise(paise(order.amount))
  return transactions.findLast(({ id, payment }) => payment === amount && !known.has(id))
}
