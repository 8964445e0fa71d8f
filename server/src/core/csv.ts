/** The beginning of a text that a spreadsheet would take for a formula; a plain number, also one below zero, is none. */
const FORMULA = /^(?!-?\d+(?:\.\d+)?$)(?=[=+\-@\t\r])/

/** Writes a line of CSV (RFC 4180). A text that a spreadsheet would take for a formula gets an apostrophe in front. */
export const csvLine = (cells: readonly (string | number | null)[]): string =>
  `${cells
    .map((cell) => {
      const text = String(cell ?? '').replace(FORMULA, "'")
      return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
    })
    .join(',')}\r\n`
