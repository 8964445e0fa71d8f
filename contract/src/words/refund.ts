/**
 * States of a refund. `sent`: the request may have reached the provider. `pending`: the provider has accepted it and
 * the bank has not confirmed it.
 */
export const REFUND_STATES = ['wanted', 'sent', 'pending', 'processed', 'failed'] as const
export type RefundState = (typeof REFUND_STATES)[number]

export const REFUND_LABELS: Readonly<Record<RefundState, string>> = {
  wanted: 'Asked for',
  sent: 'Asked for',
  pending: 'With the bank',
  processed: 'Paid back',
  failed: 'Failed',
}
