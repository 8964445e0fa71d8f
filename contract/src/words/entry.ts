/**
 * The kinds of an entry of the ledger. Amounts of refunds are above zero: they take back what a payment brought. TDS is
 * tax that the customer deducted and paid to the government in the supplier's name: it settles as a payment does.
 */
export const ENTRY_KINDS = ['invoice', 'payment', 'refund', 'tds'] as const
export type EntryKind = (typeof ENTRY_KINDS)[number]

/** By how much an entry raises what is owed. */
export const owedBy = (kind: EntryKind, amount: number): number =>
  kind === 'invoice' || kind === 'refund' ? amount : 0 - amount

/** What an entry that is no invoice brought; below zero: it was paid back. */
export const receivedBy = (kind: EntryKind, amount: number): number => 0 - owedBy(kind, amount)

/** A section of the Income-tax Act, as a certificate names it: 194J, 393(1). */
export const TDS_SECTION = /^[0-9A-Za-z() .,/-]{1,20}$/

/** Reads '26-27' as the year from April 2026 on. */
export const isFinancialYear = (text: string): boolean =>
  /^\d{2}-\d{2}$/.test(text) && (Number(text.slice(0, 2)) + 1) % 100 === Number(text.slice(3))

/** The quarters of a financial year, from 1. */
export const QUARTERS = ['April to June', 'July to September', 'October to December', 'January to March'] as const
