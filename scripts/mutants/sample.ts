import { createHash } from 'node:crypto'

/**
 * Draws `count` of all, from each stratum its share by size (largest remainders take what rounding leaves). The same seed
 * draws the same; where some come or go, all others stay drawn that their stratum's share leaves room for.
 */
export function sampleOf<T>(
  strata: ReadonlyMap<string, readonly T[]>,
  count: number,
  seed: string,
  keyOf: (member: T) => string,
): T[] {
  const all = [...strata.values()].reduce((sum, { length }) => sum + length, 0)
  const wanted = Math.min(count, all)
  const shares = [...strata].map(([name, members]) => {
    const exact = (members.length * wanted) / all
    return { name, members, taken: Math.floor(exact), rest: exact - Math.floor(exact) }
  })
  const missing = wanted - shares.reduce((sum, { taken }) => sum + taken, 0)
  for (const share of shares.toSorted((a, b) => b.rest - a.rest).slice(0, missing)) share.taken += 1
  return shares.flatMap(({ members, taken }) => inDrawnOrder(members, seed, keyOf).slice(0, taken))
}

/** Returns all in an order that looks random and follows from the seed and their keys alone. */
export function inDrawnOrder<T>(members: readonly T[], seed: string, keyOf: (member: T) => string): T[] {
  const rankOf = (member: T): string =>
    createHash('sha256')
      .update(`${seed} ${keyOf(member)}`)
      .digest('hex')
  return members
    .map((member) => ({ member, rank: rankOf(member) }))
    .toSorted((a, b) => (a.rank < b.rank ? -1 : 1))
    .map(({ member }) => member)
}
