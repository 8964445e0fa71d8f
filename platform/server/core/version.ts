/** Returns true if the version is the later one by the order of https://semver.org/#spec-item-11. */
export function isNewer(version: string, than: string): boolean {
  const [one, other] = [parse(version), parse(than)]
  // A version without a pre-release follows its pre-releases.
  if (one.numbers.join() === other.numbers.join() && (one.labels.length === 0 || other.labels.length === 0))
    return one.labels.length === 0 && other.labels.length > 0
  return isLater([...one.numbers, ...one.labels], [...other.numbers, ...other.labels])
}

function parse(version: string) {
  const [, numbers = '', labels] = /^([^-+]*)(?:-([^+]*))?/.exec(version)!
  return { numbers: numbers.split('.'), labels: labels?.split('.') ?? [] }
}

function isLater(parts: readonly string[], others: readonly string[]): boolean {
  for (const [index, part] of parts.entries()) {
    const other = others[index]
    if (other === undefined) return true
    if (part === other) continue
    const areNumbers = [part, other].map((each) => /^\d+$/.test(each))
    if (areNumbers[0] && areNumbers[1]) return Number(part) > Number(other)
    // Numbers precede words.
    return areNumbers[0] === areNumbers[1] ? part > other : areNumbers[1]!
  }
  return false
}
