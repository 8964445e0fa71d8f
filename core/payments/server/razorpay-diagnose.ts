import { PaymentsError, type PaymentsDiagnosis } from './payments-provider.ts'
import { razorpayClient, type RazorpayKeys } from './client.ts'
import { orders, webhooks } from './shapes.ts'

export function razorpayDiagnosis(
  options: RazorpayKeys & { readonly url: string; readonly timeout?: number; readonly send?: typeof fetch },
): PaymentsDiagnosis {
  const client = razorpayClient({ timeout: 8_000, ...options })
  return {
    async key(signal) {
      await client.ask(orders, { method: 'GET', path: '/orders', query: { count: '1' } }, signal)
      return { test: options.keyId.startsWith('rzp_test_') }
    },

    async webhooks(signal) {
      try {
        // Razorpay documents this call for partners only, but its own client (razorpay-node) uses it for every account.
        const { items } = await client.ask(webhooks, { method: 'GET', path: '/webhooks' }, signal)
        return items.map(({ url, active, secret_exists, events }) => ({
          url,
          active,
          hasSecret: secret_exists === true,
          events: Array.isArray(events) ? events : Object.keys(events).filter((name) => events[name]),
        }))
      } catch (error) {
        if (error instanceof PaymentsError && error.kind === 'refused') return null
        throw error
      }
    },
  }
}
