export const QUOTE_STATES = ['open', 'accepted', 'declined', 'withdrawn', 'proforma', 'invoiced'] as const
export type QuoteState = (typeof QUOTE_STATES)[number]

export const QUOTE_STATE_LABELS: Readonly<Record<QuoteState | 'expired', string>> = {
  open: 'Waiting for an answer',
  expired: 'Expired',
  accepted: 'Accepted',
  declined: 'Declined',
  withdrawn: 'Withdrawn',
  proforma: 'Proforma invoice sent',
  invoiced: 'Invoiced',
}

/** Titles of printed offers, neither of which is a tax invoice. */
export const OFFER_TITLES = { quote: 'Quote', proforma: 'Proforma Invoice' } as const
export type OfferKind = keyof typeof OFFER_TITLES

export const NOT_A_TAX_INVOICE = 'This is not a tax invoice'

/** Maximum number of unpaid proforma invoices for prepaid credit of an organisation. */
export const UNPAID_CREDIT_MAX = 10

/** Longest validity of a quote, in days. */
export const QUOTE_DAYS_MAX = 366
