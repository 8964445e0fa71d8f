/**
 * Kinds of ledger entries. Refund amounts are positive and reverse a payment. TDS is tax that the customer deducted and
 * paid to the government in the supplier's name. It settles an invoice as a payment does.
 */
export const ENTRY_KINDS = ['invoice', 'payment', 'refund', 'tds'] as const
export type EntryKind = (typeof ENTRY_KINDS)[number]

/** Returns the change that an entry makes to the balance owed. Negative values reduce the balance. */
export const balanceChange = (kind: EntryKind, amount: number): number =>
  kind === 'invoice' || kind === 'refund' ? amount : 0 - amount

/** Returns the amount received through an entry other than an invoice. Negative values are money paid back. */
export const receivedAmount = (kind: EntryKind, amount: number): number => 0 - balanceChange(kind, amount)

/** Section of the Income-tax Act, as printed on a TDS certificate: 194J, 393(1). */
export const TDS_SECTION = /^[0-9A-Za-z() .,/-]{1,20}$/

/** Returns whether the text is a financial year such as '26-27' (April 2026 to March 2027). */
export const isFinancialYear = (text: string): boolean =>
  /^\d{2}-\d{2}$/.test(text) && (Number(text.slice(0, 2)) + 1) % 100 === Number(text.slice(3))

/** Quarters of a financial year. The array index plus one is the quarter's number. */
export const QUARTERS = ['April to June', 'July to September', 'October to December', 'January to March'] as const
