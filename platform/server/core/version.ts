/** Compares versions such as 1.10.0. */
export function isNewer(version: string, than: string): boolean {
  const [one, other] = [version, than].map((each) => each.split('.').map((part) => Number.parseInt(part, 10)))
  for (const [index, part] of one!.entries()) if (part !== other![index]) return part > (other![index] ?? 0)
  return false
}
