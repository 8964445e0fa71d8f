import { z } from 'zod'
import { allOrNone, text, url, secret } from '@trainyard/platform/server/config/environment.ts'
import { settings } from '@trainyard/platform/server/config/config.ts'

declare module '@trainyard/platform/server/config/config.ts' {
  interface Config {
    readonly payments: PaymentSettings | null
  }
  interface Secrets extends PaymentSecrets {}
}

const variables = {
  RAZORPAY_KEY_ID: text
    .optional()
    .describe(
      'Online payment, with both secrets. Default: the emulator if Azure is emulated and NODE_ENV is not production, otherwise no online payment.',
    ),
  RAZORPAY_KEY_SECRET: secret(text.optional()).describe('Secret of the key.'),
  RAZORPAY_WEBHOOK_SECRET: secret(text.optional()).describe('Secret with which Razorpay signs its events.'),
  RAZORPAY_API_URL: url(/^https?$/, 'https://api.razorpay.com')
    .optional()
    .describe("Base URL of Razorpay's API."),
  RAZORPAY_CHECKOUT_URL: url(/^https?$/, 'https://checkout.razorpay.com/v1/checkout.js')
    .optional()
    .describe('URL of the checkout script.'),
}
type Environment = z.output<z.ZodObject<typeof variables>>

interface PaymentSettings {
  readonly emulated: boolean
  readonly keyId: string
  readonly url: string
  readonly checkoutScriptUrl: string
}

interface PaymentSecrets {
  readonly razorpayKeySecret: string
  readonly razorpayWebhookSecret: string
}

const NAMES = ['RAZORPAY_KEY_ID', 'RAZORPAY_KEY_SECRET', 'RAZORPAY_WEBHOOK_SECRET'] as const

const EMULATED = {
  keyId: 'rzp_test_EmulatedTest01',
  keySecret: 'emulated-key-secret',
  webhookSecret: 'emulated-webhook-secret',
}

export const payments = settings({
  variables,
  read(env, { emulatorUrl, production, emulated }) {
    const settings = paymentSettings(env, { emulatorUrl, requiresRealPayments: production || !emulated })
    const secrets = paymentSecrets(env)
    return {
      config: { payments: settings },
      secrets,
      emulated: settings?.emulated === true,
      ...(settings === null ? {} : { proves: secrets.razorpayWebhookSecret }),
    }
  },
})

function paymentSettings(
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

const paymentSecrets = (env: Environment): PaymentSecrets => ({
  razorpayKeySecret: env.RAZORPAY_KEY_SECRET ?? EMULATED.keySecret,
  razorpayWebhookSecret: env.RAZORPAY_WEBHOOK_SECRET ?? EMULATED.webhookSecret,
})
