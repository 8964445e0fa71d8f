/** Plain numbers, also negative ones, are not formulas. */
const FORMULA = /^(?!-?\d+(?:\.\d+)?$)(?=[=+\-@\t\r])/

/** Formats a line (RFC 4180). An apostrophe keeps spreadsheets from evaluating text as a formula. */
export const csvLine = (cells: readonly (string | number | null)[]): string =>
  `${cells
    .map((cell) => {
      const text = String(cell ?? '').replace(FORMULA, "'")
      return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
    })
    .join(',')}\r\n`
