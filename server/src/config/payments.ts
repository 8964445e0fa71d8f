import { allOrNone, type Environment } from './environment.ts'

export interface PaymentSettings {
  readonly emulated: boolean
  readonly keyId: string
  /** Base address of Razorpay's interface. */
  readonly url: string
  /** Address of the script that opens its checkout. */
  readonly script: string
}

export interface PaymentSecrets {
  readonly razorpayKeySecret: string
  readonly razorpayWebhookSecret: string
}

const NAMES = ['RAZORPAY_KEY_ID', 'RAZORPAY_KEY_SECRET', 'RAZORPAY_WEBHOOK_SECRET'] as const

/** The emulator's merchant. */
const EMULATED = {
  keyId: 'rzp_test_EmulatedTest01',
  keySecret: 'emulated-key-secret',
  webhookSecret: 'emulated-webhook-secret',
}

/** null: nobody can pay online. */
export function paymentSettings(
  e: Environment,
  { emulatorUrl, inEarnest }: { readonly emulatorUrl: string; readonly inEarnest: boolean },
): PaymentSettings | null {
  const emulated = !allOrNone(e, 'Razorpay', NAMES)
  // The emulator takes no money: where machines cost some, or somebody means it, nobody can pay with it.
  if (emulated && inEarnest) return null
  const [url, script] = emulated
    ? [emulatorUrl, `${emulatorUrl}/v1/checkout.js`]
    : ['https://api.razorpay.com', 'https://checkout.razorpay.com/v1/checkout.js']
  return {
    emulated,
    keyId: e.RAZORPAY_KEY_ID ?? EMULATED.keyId,
    url: (e.RAZORPAY_API_URL ?? url).replace(/\/+$/, ''),
    script: e.RAZORPAY_CHECKOUT_URL ?? script,
  }
}

export const paymentSecrets = (e: Environment): PaymentSecrets => ({
  razorpayKeySecret: e.RAZORPAY_KEY_SECRET ?? EMULATED.keySecret,
  razorpayWebhookSecret: e.RAZORPAY_WEBHOOK_SECRET ?? EMULATED.webhookSecret,
})
