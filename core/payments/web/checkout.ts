import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { payment } from '../contract/payment.ts'

export type Order = ReplyOf<typeof payment.order>

/** Result reported by the provider's script in the browser; only the server can verify it. */
export interface Paid {
  readonly razorpay_payment_id: string
  readonly razorpay_order_id: string
  readonly razorpay_signature: string
}

interface Checkout {
  open(): void
  close(): void
}

interface CheckoutOptions {
  readonly key: string
  readonly order_id: string
  /** In paise. */
  readonly amount: number
  readonly currency: 'INR'
  readonly name: string
  readonly description: string
  readonly prefill: { readonly name: string; readonly email: string }
  readonly theme: { readonly color: string }
  readonly handler: (paid: Paid) => void
  readonly modal: { readonly ondismiss: () => void }
}

declare global {
  interface Window {
    Razorpay?: new (options: CheckoutOptions) => Checkout
  }
}

const BLUE = '#123f7a'
const loading = new Map<string, Promise<void>>()

/** Loads the provider's script, once per URL. @throws Error with a message for the user */
export function loadCheckout(address: string): Promise<void> {
  const before = loading.get(address)
  if (before !== undefined) return before
  const script = document.createElement('script')
  script.src = address
  const loaded = new Promise<void>((resolve, reject) => {
    script.addEventListener('load', () => resolve())
    script.addEventListener('error', () => {
      loading.delete(address)
      script.remove()
      reject(new Error('The checkout could not be loaded. Check your connection and your content blockers.'))
    })
  })
  loading.set(address, loaded)
  document.head.append(script)
  return loaded
}

/** Opens the checkout. Requires `loadCheckout`. Returns a function that closes the checkout. */
export function openCheckout(
  order: Order,
  payer: { readonly organization: string; readonly email: string },
  ends: { readonly paid: (paid: Paid) => void; readonly dismissed: () => void },
): () => void {
  const checkout = new window.Razorpay!({
    key: order.keyId,
    order_id: order.order_id,
    amount: order.amount,
    currency: order.currency,
    name: payer.organization,
    description: 'Ledger balance',
    prefill: { name: payer.organization, email: payer.email },
    theme: { color: BLUE },
    handler: ends.paid,
    modal: { ondismiss: ends.dismissed },
  })
  checkout.open()
  return () => checkout.close()
}
