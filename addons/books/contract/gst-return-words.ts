/** Tables of GSTR-1 by their key in the JSON of the offline tool. */
export const GSTR_1_TABLES = {
  b2b: '4, 6B: registered and SEZ',
  b2cl: '5: unregistered, other states, large',
  exp: '6A: exports',
  b2cs: '7: unregistered, other',
  cdnr: '9B: credit and debit notes, registered and SEZ',
  cdnur: '9B: credit and debit notes, exports and large',
  at: '11A: advances received',
  txpd: '11B: advances adjusted',
} as const
export type Gstr1Table = keyof typeof GSTR_1_TABLES

/** Tables of advances. Their tax is not part of the supplies of the month. */
export const isAdvanceTable = (table: Gstr1Table): boolean => table === 'at' || table === 'txpd'
