export function shuffled<T>(things: readonly T[]): T[] {
  return things
    .map((thing) => ({ thing, key: Math.random() }))
    .toSorted((one, other) => one.key - other.key)
    .map(({ thing }) => thing)
}
