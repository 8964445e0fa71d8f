import type { Payments, ProviderPayment } from './payments-provider.ts'

interface Order {
  readonly order_id: string
  readonly amount_paise: number
}

/**
 * Fetches the payments of an order. Captures an authorised payment if none is captured, because the provider's
 * automatic capture may have failed.
 */
export async function fetchOrderPayments(
  payments: Payments,
  order: Order,
  signal: AbortSignal,
): Promise<readonly ProviderPayment[]> {
  const seen = await payments.listPayments(order.order_id, signal)
  if (seen.some(({ state }) => state === 'captured')) return withPaidOrder(payments, order, seen, signal)
  const authorised = seen.find((payment) => payment.state === 'authorised' && payment.amount === order.amount_paise)
  if (authorised === undefined) return seen
  await payments.capture(authorised, signal)
  return withPaidOrder(payments, order, await payments.listPayments(order.order_id, signal), signal)
}

/**
 * Marks the payment that paid the order. A customer's fee or an offer changes the captured amount, so the provider's
 * state of the order decides. With several captured payments, this state does not tell which of them paid the order.
 */
async function withPaidOrder(
  payments: Payments,
  { order_id, amount_paise }: Order,
  seen: readonly ProviderPayment[],
  signal: AbortSignal,
): Promise<readonly ProviderPayment[]> {
  const [captured, ...others] = seen.filter(({ state, orderId }) => state === 'captured' && orderId === order_id)
  if (captured === undefined || others.length > 0) return seen
  if (captured.currency !== 'INR' || captured.amount === amount_paise) return seen
  if (!(await payments.isOrderPaid(order_id, signal))) return seen
  return seen.map((payment) => (payment === captured ? { ...payment, paysOrder: true } : payment))
}
