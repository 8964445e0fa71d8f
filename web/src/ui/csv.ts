import Papa from 'papaparse'

export type CsvRows = readonly (readonly (string | number | null)[])[]

/** Text that a spreadsheet reads as a formula. Papa's own pattern misses multi-line text. */
const FORMULA = /^[=+\-@\t\r]/

/** RFC 4180. An apostrophe before formulas prevents a machine name from running code in a spreadsheet. */
export const csvOf = (rows: CsvRows): string =>
  Papa.unparse(rows as unknown[][], { newline: '\r\n', escapeFormulae: FORMULA }) + '\r\n'
