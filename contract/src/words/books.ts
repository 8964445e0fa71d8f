/** The bookkeeping programs that entries are exported for. */
export const BOOKS = ['tally', 'zoho'] as const
export type Books = (typeof BOOKS)[number]

/** The parts of the ledger that a file of an export holds, one each. */
export const BOOKED = ['invoices', 'credit notes', 'payments', 'refunds'] as const
export type Booked = (typeof BOOKED)[number]

/** Zoho Books imports refunds as parts of payments by hand, and has no file for them. */
export const isImported = (books: Books, booked: Booked): boolean => books === 'tally' || booked !== 'refunds'

/** Entries that a statement holds at most. */
export const STATEMENT_MAX = 5_000

/** Reads '2026-10' as a month and '26-27' as a financial year, April to March: the first and the last day, both included. */
export function periodOf(text: string): { readonly from: string; readonly to: string } {
  if (text.length === 5) {
    const first = 2000 + Number(text.slice(0, 2))
    return { from: `${first}-04-01`, to: `${first + 1}-03-31` }
  }
  const [year, month] = text.split('-').map(Number)
  const last = new Date(Date.UTC(year!, month, 0)).getUTCDate()
  return { from: `${text}-01`, to: `${text}-${last}` }
}
