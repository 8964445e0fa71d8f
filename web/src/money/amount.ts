/** Parses rupees such as '₹1,200.50'. Returns null for more than two decimals. */
export function parseRupees(text: string): number | null {
  const bare = text.replaceAll(/[\s,₹]/g, '')
  return /^-?(\d+(\.\d{0,2})?|\.\d{1,2})$/.test(bare) ? Number(bare) : null
}

/** Formats rupees for an input field: 1200.5 is '1200.50', 1200 is '1200'. */
export const formatRupeesInput = (rupees: number): string =>
  Number.isInteger(rupees) ? String(rupees) : rupees.toFixed(2)
