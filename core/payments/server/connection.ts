import type { Config, Secrets } from '@trainyard/platform/server/config/config.ts'
import { egressFetch } from '@trainyard/platform/server/providers/egress.ts'
import type { Payments } from './payments-provider.ts'
import { razorpayPayments } from './razorpay-payments.ts'

/**
 * Returns the payment provider. The API calls it directly, while the user waits for the order ID.
 */
export function paymentsOf(config: Config, secrets: Secrets): Payments | null {
  if (config.payments === null) return null
  const { razorpayKeySecret: keySecret, razorpayWebhookSecret: webhookSecret } = secrets
  return razorpayPayments({ ...config.payments, keySecret, webhookSecret, send: egressFetch(secrets.egressProxy) })
}
