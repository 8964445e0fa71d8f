import { paise, rupeesOfPaise } from '@trainyard/platform/contract/words/money.ts'
import type { Order } from './checkout.ts'
import type { Page } from '@trainyard/ledger/web/statement.ts'

/** A payment whose result did not reach this page. The server credits it; the page polls for its ledger entry. */
export interface Unsettled {
  readonly order: Order
  /** IDs of the payments known before. */
  readonly known: ReadonlySet<string>
  readonly why: string
}

export const paymentsIn = ({ transactions }: Page): ReadonlySet<string> =>
  new Set(transactions.filter(({ payment }) => payment !== null).map(({ id }) => id))

export function arrivalOf(
  { order, known }: Unsettled,
  { transactions }: Page,
): Page['transactions'][number] | undefined {
  const amount = rupeesOfPaise(paise(order.amount))
  return transactions.findLast(({ id, payment }) => payment === amount && !known.has(id))
}
