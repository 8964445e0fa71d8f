/**
 * Returns the name of a machine. It has at most 15 characters, the limit for Windows. Numbers are not reused, so names
 * are not reused either.
 */
export function machineName(training: string, number: number): string {
  const normalised = training
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, 8)
    .replace(/-+$/, '')
  return `${normalised === '' ? 'vm' : normalised}-${number.toString(36)}`
}
