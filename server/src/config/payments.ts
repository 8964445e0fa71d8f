import { allOrNone, type Environment } from './environment.ts'

export interface PaymentSettings {
  readonly emulated: boolean
  readonly keyId: string
  readonly url: string
  readonly checkoutScriptUrl: string
}

export interface PaymentSecrets {
  readonly razorpayKeySecret: string
  readonly razorpayWebhookSecret: string
}

const NAMES = ['RAZORPAY_KEY_ID', 'RAZORPAY_KEY_SECRET', 'RAZORPAY_WEBHOOK_SECRET'] as const

const EMULATED = {
  keyId: 'rzp_test_EmulatedTest01',
  keySecret: 'emulated-key-secret',
  webhookSecret: 'emulated-webhook-secret',
}

export function paymentSettings(
  env: Environment,
  { emulatorUrl, requiresRealPayments }: { readonly emulatorUrl: string; readonly requiresRealPayments: boolean },
): PaymentSettings | null {
  const emulated = !allOrNone(env, 'Razorpay', NAMES)
  // The emulator takes no real money, so it must not settle bills in production or for machines of the real Azure.
  if (emulated && requiresRealPayments) return null
  const [url, checkoutScriptUrl] = emulated
    ? [emulatorUrl, `${emulatorUrl}/v1/checkout.js`]
    : ['https://api.razorpay.com', 'https://checkout.razorpay.com/v1/checkout.js']
  return {
    emulated,
    keyId: env.RAZORPAY_KEY_ID ?? EMULATED.keyId,
    url: (env.RAZORPAY_API_URL ?? url).replace(/\/+$/, ''),
    checkoutScriptUrl: env.RAZORPAY_CHECKOUT_URL ?? checkoutScriptUrl,
  }
}

export const paymentSecrets = (env: Environment): PaymentSecrets => ({
  razorpayKeySecret: env.RAZORPAY_KEY_SECRET ?? EMULATED.keySecret,
  razorpayWebhookSecret: env.RAZORPAY_WEBHOOK_SECRET ?? EMULATED.webhookSecret,
})
