import type { RazorpaySettings } from './payments.ts'

/** The emulator's one merchant. */
export const emulatedRazorpay = (url: string): RazorpaySettings => ({
  url,
  script: `${url}/v1/checkout.js`,
  keyId: 'rzp_test_EmulatedTest01',
  keySecret: 'emulated-key-secret',
  webhookSecret: 'emulated-webhook-secret',
})
