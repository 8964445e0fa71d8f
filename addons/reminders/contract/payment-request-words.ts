export const REQUEST_STATES = ['open', 'paid', 'expired', 'cancelled'] as const
export type RequestState = (typeof REQUEST_STATES)[number]

export const REQUEST_LABELS: Readonly<Record<RequestState, string>> = {
  open: 'Open',
  paid: 'Paid',
  expired: 'Expired',
  cancelled: 'Cancelled',
}

export const REQUEST_DAYS_MAX = 90
export const REQUEST_DAYS_DEFAULT = 14

export const canPay = (state: RequestState): true | string => (state === 'open' ? true : REFUSALS[state])

const REFUSALS: Readonly<Record<Exclude<RequestState, 'open'>, string>> = {
  paid: 'This request has been paid.',
  expired: 'This request has expired. Pay the balance, or ask for a new request.',
  cancelled: 'This request was cancelled. No payment is due.',
}
