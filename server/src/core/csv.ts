/** Plain numbers, also negative ones, are not formulas. */
const FORMULA = /^(?!-?\d+(?:\.\d+)?$)(?=[=+\-@\t\r])/

/**
 * Formats a line of CSV (RFC 4180). Prefixes text that a spreadsheet would evaluate as a formula with an apostrophe.
 */
export const csvLine = (cells: readonly (string | number | null)[]): string =>
  `${cells
    .map((cell) => {
      const text = String(cell ?? '').replace(FORMULA, "'")
      return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
    })
    .join(',')}\r\n`
