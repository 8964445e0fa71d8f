export const BOOKKEEPING_PROGRAMS = ['tally', 'zoho'] as const
export type BookkeepingProgram = (typeof BOOKKEEPING_PROGRAMS)[number]

export const EXPORT_PARTS = ['invoices', 'credit notes', 'payments', 'refunds'] as const
export type ExportPart = (typeof EXPORT_PARTS)[number]

/** Zoho Books has no refund import: refunds are entered there by hand at the payment. */
export const canImport = (books: BookkeepingProgram, booked: ExportPart): boolean =>
  books === 'tally' || booked !== 'refunds'

export const STATEMENT_MAX = 5_000

/** Parses a month ('2026-10') or a financial year ('26-27', April to March). Both days are inclusive. */
export function periodOf(text: string): { readonly from: string; readonly to: string } {
  if (text.length === 5) {
    const first = 2000 + Number(text.slice(0, 2))
    return { from: `${first}-04-01`, to: `${first + 1}-03-31` }
  }
  const [year, month] = text.split('-').map(Number)
  const last = new Date(Date.UTC(year!, month, 0)).getUTCDate()
  return { from: `${text}-01`, to: `${text}-${last}` }
}
