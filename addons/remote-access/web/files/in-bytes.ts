const UNITS = ['B', 'kB', 'MB', 'GB'] as const

/** Formats a size, such as '12 B' or '3.4 MB', with 1,024 per unit like `ls -h`. */
export function inBytes(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024
    unit += 1
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit]}`
}
