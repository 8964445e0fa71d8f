/** The only merchant. These are not real secrets. */
export const merchant = {
  accountId: 'acc_EmulatedTest01',
  keyId: 'rzp_test_EmulatedTest01',
  keySecret: 'emulated-key-secret',
  webhookSecret: 'emulated-webhook-secret',
} as const
