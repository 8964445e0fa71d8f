const hours = new Intl.NumberFormat('en-IN', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** Seconds as hours with two decimals: 5400 is 1.50. */
export const formatHours = (seconds: number): string => hours.format(seconds / 3600)

const exact = new Intl.NumberFormat('en-IN', {
  style: 'currency',
  currency: 'INR',
  minimumFractionDigits: 4,
  maximumFractionDigits: 4,
})

/** What a run adds before anything is rounded, in rupees with four decimals. */
export const formatExact = (paiseSeconds: number): string => exact.format(paiseSeconds / 360_000)
