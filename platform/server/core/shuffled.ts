export function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ thing: item, key: Math.random() }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ thing }) => thing)
}
