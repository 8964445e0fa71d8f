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

export interface PayableProforma {
  /** Number of the proforma invoice. */
  readonly proforma: string
  readonly state: QuoteState
  readonly expired: boolean
  /** Number of the tax invoice, once it is issued. */
  readonly invoice: string | null
  /** True if the tax invoice was cancelled. */
  readonly invoiceCancelled?: boolean
  /** Amount that is not paid, in paise. Not positive once the proforma invoice is paid. */
  readonly leftPaise: number
}

/** The payment provider's minimum of one rupee. */
const ONLINE_MIN_PAISE = 100

/** Returns true if a proforma invoice can be paid online, otherwise the reason. */
export function canPayProforma(offer: PayableProforma): true | string {
  const { proforma, state, expired, invoice, invoiceCancelled = false, leftPaise } = offer
  if (invoiceCancelled) return `${invoice} is cancelled. No payment is due for ${proforma}.`
  if (invoice !== null) return `${proforma} is invoiced with ${invoice}. Pay the invoice.`
  if (state === 'withdrawn') return `${proforma} was withdrawn. No payment is due.`
  if (leftPaise <= 0) return `${proforma} has been paid.`
  if (expired) return `${proforma} has expired. Buy the credit again with a new proforma invoice.`
  return leftPaise >= ONLINE_MIN_PAISE || `Less than ₹1 of ${proforma} is open, which cannot be paid online.`
}

/** Titles of printed offers, neither of which is a tax invoice. */
export const OFFER_TITLES = { quote: 'Quote', proforma: 'Proforma Invoice' } as const
export type OfferKind = keyof typeof OFFER_TITLES

export const NOT_A_TAX_INVOICE = 'This is not a tax invoice'

/** Maximum number of unpaid proforma invoices for prepaid credit of an organisation. */
export const UNPAID_CREDIT_MAX = 10

/** Longest validity of a quote, in days. */
export const QUOTE_DAYS_MAX = 366
