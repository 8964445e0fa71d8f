import type { ListedQuote } from '../../contract/quote.ts'
import { canPayProforma, QUOTE_STATE_LABELS } from '../../contract/quote-words.ts'

/** Returns the unpaid amount of a proforma invoice in paise; negative if more was paid. */
export const unpaidOf = ({ proforma, payments }: Pick<ListedQuote, 'proforma' | 'payments'>): number =>
  payments.reduce((left, { amountPaise }) => left - amountPaise, proforma?.totalPaise ?? 0)

export const isPayableOnline = (quote: ListedQuote): boolean =>
  quote.proforma !== null &&
  canPayProforma({ ...quote, proforma: quote.proforma.number, leftPaise: unpaidOf(quote) }) === true

export function stateLabel(quote: ListedQuote): string {
  if (quote.state === 'proforma' && unpaidOf(quote) <= 0) return quote.prepaid === null ? 'Paid in advance' : 'Paid'
  return QUOTE_STATE_LABELS[quote.expired ? 'expired' : quote.state]
}
