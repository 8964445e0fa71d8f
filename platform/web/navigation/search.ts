/**
 * Parses a URL query into strings: a training named `101` remains text. If a name occurs twice, the first value is
 * used.
 */
export function readSearch(search: string): Record<string, string> {
  return Object.fromEntries([...new URLSearchParams(search)].toReversed())
}

/** Formats a URL query with its question mark; undefined, null and empty values are omitted. */
export function writeSearch(search: object): string {
  const definedEntries = Object.entries(search).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  )
  const text = new URLSearchParams(definedEntries.map(([key, value]) => [key, String(value)])).toString()
  return text && `?${text}`
}
