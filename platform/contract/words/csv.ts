export type CsvRow = readonly (string | number | null)[]
export type CsvRows = readonly CsvRow[]

/** Plain numbers, also negative ones, are not formulas. */
const NUMBER = /^-?\d+(?:\.\d+)?$/

/** Start of a formula, in full or small width too. Spaces and invisible characters may precede it. */
const FORMULA = String.raw`[\s\p{Cf}]*[=+\-@\uFF0B\uFF0D\uFF1D\uFF20\uFE62\uFE63\uFE66\uFE6B]`

const FORMULA_AT_START = new RegExp(String.raw`^(?=[\t\r\n]|${FORMULA})`, 'u')

/** A character inside a value that a spreadsheet may read as the end of a column or line, followed by a formula. */
const FORMULA_INSIDE = new RegExp(String.raw`(?:;|(?<=[^\s\p{Cf}][\s\p{Cf}]*)[\t\r\n])(?=${FORMULA})`, 'gu')

const SPECIAL = /^['\s]|[";,\t\r\n]|\s$/

/**
 * Formats a row as a line of CSV (RFC 4180). Prefixes text that a spreadsheet would evaluate as a formula with an
 * apostrophe, so that a name cannot run code in a reader's spreadsheet. Quotes values with semicolons, which separate
 * columns where the comma is the decimal sign.
 */
export const csvLine = (cells: CsvRow): string => `${cells.map(fieldOf).join(',')}\r\n`

/** Returns the first line of a file, with a byte order mark: spreadsheet programs then read the file as UTF-8. */
export const csvHead = (cells: CsvRow): string => `\uFEFF${csvLine(cells)}`

export const csvOf = (rows: CsvRows): string => rows.map(csvLine).join('')

function fieldOf(cell: string | number | null): string {
  const text = String(cell ?? '')
  if (NUMBER.test(text)) return text
  const safe = text.replace(FORMULA_INSIDE, "$&'").replace(FORMULA_AT_START, "'")
  return SPECIAL.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
