import type { Payments, SeenPayment } from '../../../providers/payments.ts'

/**
 * Returns the provider's payments for an order now. Where money is authorised and none was taken, it is taken: the
 * provider does so by itself, and this is for when it did not.
 */
export async function lookAtOrder(
  payments: Payments,
  order: { readonly order_id: string; readonly amount_paise: number },
  signal: AbortSignal,
): Promise<readonly SeenPayment[]> {
  const seen = await payments.lookAt(order.order_id, signal)
  if (seen.some(({ state }) => state === 'captured')) return seen
  const authorised = seen.find((payment) => payment.state === 'authorised' && payment.amount === order.amount_paise)
  if (authorised === undefined) return seen
  await payments.capture(authorised, signal)
  return payments.lookAt(order.order_id, signal)
}
