import { createHash } from 'node:crypto'

/**
 * Returns a sample with a part of each stratum (method of the largest remainder). With the same seed, adding or
 * removing members hardly changes the sample.
 */
export function sampleOf<T>(
  strata: ReadonlyMap<string, readonly T[]>,
  count: number,
  seed: string,
  keyOf: (member: T) => string,
): T[] {
  const all = [...strata.values()].reduce((sum, { length }) => sum + length, 0)
  const size = Math.min(count, all)
  const shares = [...strata].map(([name, members]) => {
    const exactShare = (members.length * size) / all
    return { name, members, taken: Math.floor(exactShare), rest: exactShare - Math.floor(exactShare) }
  })
  const missing = size - shares.reduce((sum, { taken }) => sum + taken, 0)
  for (const share of shares.toSorted((a, b) => b.rest - a.rest).slice(0, missing)) share.taken += 1
  return shares.flatMap(({ members, taken }) => inDrawnOrder(members, seed, keyOf).slice(0, taken))
}

/** Returns the members in a pseudo-random order that depends only on the seed and their keys. */
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
