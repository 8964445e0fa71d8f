/** First calendar year of the financial year (April to March) of a day. */
export const startYear = (day: string): number => Number(day.slice(0, 4)) - (day.slice(5, 7) < '04' ? 1 : 0)

const twoDigits = (year: number): string => String(year % 100).padStart(2, '0')

/** '26-27' for the financial year that starts in April 2026. */
export const yearFrom = (year: number): string => `${twoDigits(year)}-${twoDigits(year + 1)}`

export const financialYear = (day: string): string => yearFrom(startYear(day))

/** Quarter of the financial year: 1 is April to June. */
export const quarterOf = (day: string): number => ((Math.floor((Number(day.slice(5, 7)) - 1) / 3) + 3) % 4) + 1
