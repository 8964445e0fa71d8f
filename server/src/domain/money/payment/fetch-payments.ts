import type { Payments, ProviderPayment } from '../../../providers/payments.ts'

/** Captures an authorised payment if none is captured: the provider's automatic capture may have failed. */
export async function fetchOrderPayments(
  payments: Payments,
  order: { readonly order_id: string; readonly amount_paise: number },
  signal: AbortSignal,
): Promise<readonly ProviderPayment[]> {
  const seen = await payments.listPayments(order.order_id, signal)
  if (seen.some(({ state }) => state === 'captured')) return seen
  const authorised = seen.find((payment) => payment.state === 'authorised' && payment.amount === order.amount_paise)
  if (authorised === undefined) return seen
  await payments.capture(authorised, signal)
  return payments.listPayments(order.order_id, signal)
}
