/**
 * Refund amounts are positive. TDS (tax deducted by the customer) settles an invoice as a payment does. A reversal
 * cancels an entry that a user recorded; a write-off settles an invoice that will not be paid.
 */
export const ENTRY_KINDS = [
  'invoice',
  'payment',
  'refund',
  'tds',
  'invoice reversal',
  'payment reversal',
  'tds reversal',
  'write-off',
] as const
export type EntryKind = (typeof ENTRY_KINDS)[number]

/** Kinds of recorded entries that can be reversed. */
export const REVERSIBLE_KINDS = ['invoice', 'payment', 'tds'] as const
export type ReversibleKind = (typeof REVERSIBLE_KINDS)[number]

const OWED_KINDS: ReadonlySet<EntryKind> = new Set(['invoice', 'refund', 'payment reversal', 'tds reversal'])

/**
 * Returns the change of the balance, positive if the customer owes more. The SQL function `balance_change` returns the
 * same.
 */
export const balanceChange = (kind: EntryKind, amount: number): number => (OWED_KINDS.has(kind) ? amount : 0 - amount)

/**
 * Section under which customers deduct tax from fees for technical services: 393(1) of the Income-tax Act 2025, in
 * force since 1 April 2026, before that 194J of the Act of 1961.
 */
export const tdsSectionOn = (day: string): string => (day < '2026-04-01' ? '194J' : '393(1)')

/** Number of the TDS entry of a payment that was recorded with the deducted tax. */
export const tdsOfPayment = (payment: string): string => `TDS of ${payment}`

export const TDS_SECTION = /^[0-9A-Za-z() .,/-]{1,20}$/

/** '26-27' is April 2026 to March 2027. */
export const isFinancialYear = (text: string): boolean =>
  /^\d{2}-\d{2}$/.test(text) && (Number(text.slice(0, 2)) + 1) % 100 === Number(text.slice(3))

export const QUARTERS = ['April to June', 'July to September', 'October to December', 'January to March'] as const
