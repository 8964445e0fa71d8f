/** The query keys of money: invalidate both after an entry or a payment. An account's begin with `accountsKey`. */
export const ledgerKey = ['ledger'] as const
export const accountsKey = ['account'] as const
