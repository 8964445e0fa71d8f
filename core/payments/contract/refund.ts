/** `sent`: may have reached the provider. `pending`: accepted, not yet confirmed by the bank. */
export const REFUND_STATES = ['wanted', 'sent', 'pending', 'processed', 'failed'] as const
export type RefundState = (typeof REFUND_STATES)[number]

export const REFUND_LABELS: Readonly<Record<RefundState, string>> = {
  wanted: 'Asked for',
  sent: 'Asked for',
  pending: 'With the bank',
  processed: 'Paid back',
  failed: 'Failed',
}
