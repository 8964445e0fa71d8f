import Papa from 'papaparse'

export type CsvRows = readonly (readonly (string | number | null)[])[]

/** Text that a spreadsheet reads as a formula. Papa's own pattern overlooks text of several lines. */
const FORMULA = /^[=+\-@\t\r]/

/**
 * Returns rows as CSV (RFC 4180). A text cell that a spreadsheet would read as a formula gets an apostrophe in front,
 * so that nobody's machine name can run in the opener's spreadsheet.
 */
export const csvOf = (rows: CsvRows): string =>
  Papa.unparse(rows as unknown[][], { newline: '\r\n', escapeFormulae: FORMULA }) + '\r\n'
