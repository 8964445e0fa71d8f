/**
 * A machine's name: what is left of its training's name, and the machine's own number. At most 15 characters, so that
 * a Windows machine can bear it; never used twice, for the number never is.
 */
export function machineName(training: string, number: number): string {
  const plain = training
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, 8)
    .replace(/-+$/, '')
  return `${plain === '' ? 'vm' : plain}-${number.toString(36)}`
}
