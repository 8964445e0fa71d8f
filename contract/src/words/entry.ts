/** Refund amounts are positive. TDS (tax deducted by the customer) settles an invoice as a payment does. */
export const ENTRY_KINDS = ['invoice', 'payment', 'refund', 'tds'] as const
export type EntryKind = (typeof ENTRY_KINDS)[number]

export const balanceChange = (kind: EntryKind, amount: number): number =>
  kind === 'invoice' || kind === 'refund' ? amount : 0 - amount

/** Negative values are money paid back. */
export const receivedAmount = (kind: EntryKind, amount: number): number => 0 - balanceChange(kind, amount)

export const TDS_SECTION = /^[0-9A-Za-z() .,/-]{1,20}$/

/** '26-27' is April 2026 to March 2027. */
export const isFinancialYear = (text: string): boolean =>
  /^\d{2}-\d{2}$/.test(text) && (Number(text.slice(0, 2)) + 1) % 100 === Number(text.slice(3))

export const QUARTERS = ['April to June', 'July to September', 'October to December', 'January to March'] as const
