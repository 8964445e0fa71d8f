import type { z } from 'zod'
import type { Checkout } from './payments-provider.ts'
import { event } from './shapes.ts'
import { createHmac, timingSafeEqual } from 'node:crypto'

export function razorpayCheckout(options: {
  readonly keyId: string
  readonly keySecret: string
  readonly webhookSecret: string
  readonly checkoutScriptUrl: string
  readonly frames: readonly string[]
}): Checkout {
  const { keyId, keySecret, webhookSecret, checkoutScriptUrl, frames } = options
  return {
    keyId,
    scriptUrl: checkoutScriptUrl,
    frames,
    isGenuine: ({ orderId, paymentId, signature }) => isSignedWith(keySecret, `${orderId}|${paymentId}`, signature),
    readEvent(text, header) {
      if (!isSignedWith(webhookSecret, text, header('x-razorpay-signature') ?? '')) return 'forged'
      const { payment, order } = payloadOf(text)
      return { orderId: payment?.entity.order_id ?? order?.entity.id ?? null }
    },
  }
}

/** Returns the payload of an event. It is empty for signed events of an unknown shape, which concern no order. */
function payloadOf(text: string): Partial<z.infer<typeof event>['payload']> {
  try {
    return event.parse(JSON.parse(text)).payload
  } catch {
    return {}
  }
}

function isSignedWith(secret: string, text: string, signature: string): boolean {
  if (!/^[0-9a-f]{64}$/.test(signature)) return false
  return timingSafeEqual(createHmac('sha256', secret).update(text, 'utf8').digest(), Buffer.from(signature, 'hex'))
}
