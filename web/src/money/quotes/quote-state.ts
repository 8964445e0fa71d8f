import type { ListedQuote } from '@trainyard/contract/calls/quote.ts'
import { QUOTE_STATE_LABELS } from '@trainyard/contract/words/quote.ts'

/** Returns the unpaid amount of a proforma invoice in paise; negative if more was paid. */
export const unpaidOf = ({ proforma, payments }: Pick<ListedQuote, 'proforma' | 'payments'>): number =>
  payments.reduce((left, { amountPaise }) => left - amountPaise, proforma?.totalPaise ?? 0)

export function stateLabel(quote: ListedQuote): string {
  if (quote.prepaid !== null && quote.state === 'proforma' && unpaidOf(quote) <= 0) return 'Paid'
  return QUOTE_STATE_LABELS[quote.expired ? 'expired' : quote.state]
}
