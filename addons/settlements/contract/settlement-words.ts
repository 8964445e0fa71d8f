/** Calendar days after which a payment without a settlement is reported: Razorpay settles after 2 to 7 working days. */
export const UNSETTLED_DAYS = 10

/** Differences between the ledger and the settlements of the payment provider, with the action that resolves each. */
export const SETTLEMENT_DIFFERENCES = {
  unsettled: `No settlement contains this payment after ${UNSETTLED_DAYS} days. Check the payment in the provider’s dashboard.`,
  unknown: 'This payment is not in the ledger: another shop may use this provider account.',
  typed: 'The payment was also entered manually in the ledger, so Bank has the amount twice. Reverse the manual entry.',
  amount: 'The amounts in the settlement and the ledger differ. Ask the provider for a correction.',
  sum: 'The provider’s figures do not add up, so the settlement is not posted. Ask the provider for a correction.',
} as const
export type SettlementDifference = keyof typeof SETTLEMENT_DIFFERENCES
