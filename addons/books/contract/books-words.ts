export const BOOKKEEPING_PROGRAMS = ['tally xml', 'tally', 'zoho'] as const
export type BookkeepingProgram = (typeof BOOKKEEPING_PROGRAMS)[number]

export const EXPORT_PARTS = [
  'invoices',
  'credit notes',
  'payments',
  'refunds',
  'corrections',
  'settlements',
  'all entries',
] as const
export type ExportPart = (typeof EXPORT_PARTS)[number]

/**
 * Only TallyPrime's XML has all entries in one file. Settlements are journals in Zoho Books. Zoho Books imports neither refunds nor corrections: they are entered
 * there by hand.
 */
export const canImport = (books: BookkeepingProgram, booked: ExportPart): boolean =>
  booked === 'all entries'
    ? books === 'tally xml'
    : books !== 'zoho' || (booked !== 'refunds' && booked !== 'corrections')

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
