/** Returns the same things in an order of which each is as likely as any other. */
export function shuffled<T>(things: readonly T[]): T[] {
  return things
    .map((thing) => ({ thing, key: Math.random() }))
    .toSorted((one, other) => one.key - other.key)
    .map(({ thing }) => thing)
}
