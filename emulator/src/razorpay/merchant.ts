/** The one merchant there is. Nothing of it is worth stealing: it takes no money. */
export const merchant = {
  accountId: 'acc_EmulatedTest01',
  keyId: 'rzp_test_EmulatedTest01',
  keySecret: 'emulated-key-secret',
  webhookSecret: 'emulated-webhook-secret',
} as const
