const twoDecimals = new Intl.NumberFormat('en-IN', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** Formats seconds as hours with two decimals: 5400 is 1.50. */
export const formatHours = (seconds: number): string => twoDecimals.format(seconds / 3600)

/** Formats used or remaining minutes as hours with two decimals. Small values are not shown as zero: 0.1 is <0.01. */
export const hoursUsed = (minutes: number): string =>
  minutes > 0 && minutes < 0.3 ? '<0.01' : twoDecimals.format(minutes / 60)

/** Formats the hours left of a quota in minutes: 'No limit', '1.50 h'. */
export const hoursLeft = ({ total, consumed }: { readonly total: number | null; readonly consumed: number }): string =>
  total === null ? 'No limit' : `${hoursUsed(Math.max(0, total - consumed))} h`

export const formatMinutes = (minutes: number): string => twoDecimals.format(minutes)

const allotment = new Intl.NumberFormat('en-IN', { maximumFractionDigits: 2 })

/** Formats allotted minutes as hours: 600 is 10, 90 is 1.5, 75,000 is 1,250. */
export const hoursAllotted = (minutes: number): string => allotment.format(minutes / 60)

export const hoursText = (minutes: number): string => `${hoursAllotted(minutes)} ${minutes === 60 ? 'hour' : 'hours'}`

const exact = new Intl.NumberFormat('en-IN', {
  style: 'currency',
  currency: 'INR',
  minimumFractionDigits: 4,
  maximumFractionDigits: 4,
})

/** Formats a run's cost before rounding, in rupees with four decimals. */
export const formatExact = (paiseSeconds: number): string => exact.format(paiseSeconds / 360_000)
