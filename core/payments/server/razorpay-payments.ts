import {
  type Payments,
  PaymentsError,
  type ProviderPayment,
  type ProviderRefund,
  type SettledLine,
} from './payments-provider.ts'
import { razorpayCheckout } from './checkout.ts'
import { type RazorpayClient, razorpayClient } from './client.ts'
import {
  captured,
  order,
  orders,
  orderState,
  payments,
  type RazorpayPayment,
  type RazorpayRefund,
  refund,
  refunds,
  settledLines,
} from './shapes.ts'

export interface RazorpaySettings {
  readonly keyId: string
  readonly keySecret: string
  readonly webhookSecret: string
  readonly url: string
  readonly checkoutScriptUrl: string
  readonly timeout?: number
  /** Default: fetch. */
  readonly send?: typeof fetch
}

export function razorpayPayments({ timeout = 8_000, ...given }: RazorpaySettings): Payments {
  const client = razorpayClient({ ...given, timeout })
  const frames = [...new Set([given.url, given.checkoutScriptUrl].map((address) => new URL(address).origin))]
  return {
    checkout: razorpayCheckout({ ...given, frames }),

    async createOrder({ receipt, amount, notes }, signal) {
      const body = { amount, currency: 'INR', receipt, notes }
      try {
        return { orderId: (await client.ask(order, { method: 'POST', path: '/orders', body }, signal)).id }
      } catch (error) {
        // Orders have no idempotency key. After a lost reply, the order is searched by its receipt.
        if (!(error instanceof PaymentsError) || error.kind !== 'unreachable' || signal.aborted) throw error
        const existing = await client.ask(orders, { method: 'GET', path: '/orders', query: { receipt } }, signal)
        const ownOrder = existing.items.find((found) => found.receipt === receipt && found.amount === amount)
        if (ownOrder === undefined) throw error
        return { orderId: ownOrder.id }
      }
    },

    async listPayments(orderId, signal) {
      const path = `/orders/${encodeURIComponent(orderId)}/payments`
      const { items } = await client.ask(payments, { method: 'GET', path }, signal)
      return Promise.all(items.map((payment) => fetchPayments(client, orderId, payment, signal)))
    },

    async isOrderPaid(orderId, signal) {
      const path = `/orders/${encodeURIComponent(orderId)}`
      return (await client.ask(orderState, { method: 'GET', path }, signal)).status === 'paid'
    },

    async refund({ paymentId, amount, receipt }, signal) {
      const path = `/payments/${encodeURIComponent(paymentId)}/refund`
      const call = { method: 'POST', path, body: { amount, receipt }, refundKey: receipt } as const
      return seenRefund(await client.ask(refund, call, signal))
    },

    listRefunds: (paymentId, signal) => refundsOf(client, paymentId, signal),

    listSettled: (day, signal) => settledOn(client, day, signal),

    async capture({ id, amount }, signal) {
      const path = `/payments/${encodeURIComponent(id)}/capture`
      try {
        await client.ask(captured, { method: 'POST', path, body: { amount, currency: 'INR' } }, signal)
      } catch (error) {
        // The payment was captured concurrently or can no longer be captured. The next read shows which is the case.
        if (!(error instanceof PaymentsError) || error.kind !== 'refused') throw error
      }
    },
  }
}

async function fetchPayments(
  client: RazorpayClient,
  orderId: string,
  payment: RazorpayPayment,
  signal: AbortSignal,
): Promise<ProviderPayment> {
  // Razorpay automatically returns a payment that was never captured. This return is not a refund of the portal.
  const paidBack = payment.captured && (payment.amount_refunded ?? 0) > 0
  const found = paidBack ? await refundsOf(client, payment.id, signal) : []
  return {
    id: payment.id,
    orderId: payment.order_id ?? orderId,
    amount: payment.amount,
    currency: payment.currency,
    state: stateOf(payment),
    at: instant(payment.created_at),
    refunds: found.filter(({ state }) => state === 'processed'),
  }
}

async function refundsOf(client: RazorpayClient, paymentId: string, signal: AbortSignal): Promise<ProviderRefund[]> {
  const path = `/payments/${encodeURIComponent(paymentId)}/refunds`
  const { items } = await client.ask(refunds, { method: 'GET', path, query: { count: '100' } }, signal)
  return items.map(seenRefund)
}

/** The largest page is not documented; 100 is that of Razorpay's other lists. */
const SETTLED_PAGE = 100

/**
 * Reads all pages of a day. A line that moves to a later page while they are read is returned once; one that moves to
 * an earlier page is missing until the day is read again.
 */
async function settledOn(client: RazorpayClient, text: string, signal: AbortSignal): Promise<SettledLine[]> {
  const [year, month, day] = text.split('-') as [string, string, string]
  const found = new Map<string, SettledLine>()
  const ids = new Set<string>()
  for (let offset = 0; ; offset += SETTLED_PAGE) {
    const query = { year, month, day, count: String(SETTLED_PAGE), skip: String(offset) }
    const path = '/settlements/recon/combined'
    const { items } = await client.ask(settledLines, { method: 'GET', path, query }, signal)
    const before = ids.size
    for (const item of items) {
      ids.add(item.entity_id)
      const { settled, settlement_id: settlementId, settled_at: settledAt } = item
      if (!settled || typeof settlementId !== 'string' || typeof settledAt !== 'number') continue
      found.set(item.entity_id, {
        id: item.entity_id,
        type: item.type,
        settlementId,
        utr: item.settlement_utr ?? null,
        settledAt: instant(settledAt),
        currency: item.currency,
        amount: item.amount,
        credit: item.credit,
        debit: item.debit,
        fee: item.fee ?? 0,
        tax: item.tax ?? 0,
        description: item.description?.slice(0, 300) ?? null,
      })
    }
    // A page without a new line would repeat forever.
    if (items.length < SETTLED_PAGE || ids.size === before) return [...found.values()]
  }
}

const seenRefund = ({ id, amount, created_at, receipt, status }: RazorpayRefund): ProviderRefund => ({
  id,
  amount,
  at: instant(created_at),
  receipt: receipt ?? null,
  state: status === 'processed' || status === 'failed' ? status : 'pending',
})

function stateOf({ captured, status }: RazorpayPayment): ProviderPayment['state'] {
  if (captured) return 'captured'
  if (status === 'authorized') return 'authorised'
  return status === 'created' ? 'waiting' : 'failed'
}

const instant = (seconds: number): Date => new Date(seconds * 1000)
