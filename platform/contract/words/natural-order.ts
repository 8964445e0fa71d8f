/** Compares texts with the numbers in them by value: Class 2 before Class 14. */
export const { compare: compareNaturally } = new Intl.Collator('en', { numeric: true })
