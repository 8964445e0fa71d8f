/** Sent: the provider may know of it. Pending: it does, and the bank has not said yes. */
export const REFUND_STATES = ['wanted', 'sent', 'pending', 'processed', 'failed'] as const
export type RefundState = (typeof REFUND_STATES)[number]

export const REFUND_WORDS: Readonly<Record<RefundState, string>> = {
  wanted: 'Asked for',
  sent: 'Asked for',
  pending: 'With the bank',
  processed: 'Paid back',
  failed: 'Failed',
}
