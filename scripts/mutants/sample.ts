/** Returns numbers in [0, 1) that follow from the seed alone (mulberry32, in the public domain). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

/**
 * Draws `count` of all, from each stratum its share by size (largest remainders take what rounding leaves).
 * The same seed draws the same.
 */
export function sampleOf<T>(strata: ReadonlyMap<string, readonly T[]>, count: number, seed: number): T[] {
  const random = randomFrom(seed)
  const all = [...strata.values()].reduce((sum, { length }) => sum + length, 0)
  const wanted = Math.min(count, all)
  const shares = [...strata].map(([name, members]) => {
    const exact = (members.length * wanted) / all
    return { name, members, taken: Math.floor(exact), rest: exact - Math.floor(exact) }
  })
  const missing = wanted - shares.reduce((sum, { taken }) => sum + taken, 0)
  for (const share of shares.toSorted((a, b) => b.rest - a.rest).slice(0, missing)) share.taken += 1
  return shares.flatMap(({ members, taken }) => shuffled(members, random).slice(0, taken))
}

/** Returns all in an order that follows from `random`. */
export function shuffled<T>(members: readonly T[], random: () => number): T[] {
  return members
    .map((member) => ({ member, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ member }) => member)
}
