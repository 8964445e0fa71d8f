import Papa from 'papaparse'

export type CsvRows = readonly (readonly (string | number | null)[])[]

/** Text that a spreadsheet reads as a formula. Papa's own pattern misses multi-line text. */
const FORMULA = /^[=+\-@\t\r]/

/**
 * Returns rows as CSV (RFC 4180). Text that a spreadsheet would read as a formula is prefixed with an apostrophe, so
 * that a machine name can't run code in a reader's spreadsheet.
 */
export const csvOf = (rows: CsvRows): string =>
  Papa.unparse(rows as unknown[][], { newline: '\r\n', escapeFormulae: FORMULA }) + '\r\n'
