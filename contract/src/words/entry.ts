/** The kinds of an entry of the ledger. Amounts of refunds are above zero: they take back what a payment brought. */
export const ENTRY_KINDS = ['invoice', 'payment', 'refund'] as const
export type EntryKind = (typeof ENTRY_KINDS)[number]

/** By how much an entry raises what is owed. */
export const owedBy = (kind: EntryKind, amount: number): number =>
  kind === 'invoice' || kind === 'refund' ? amount : 0 - amount

/** What an entry that is no invoice brought; below zero: it was paid back. */
export const receivedBy = (kind: EntryKind, amount: number): number => 0 - owedBy(kind, amount)
