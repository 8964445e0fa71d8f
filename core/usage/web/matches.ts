export function matchesOf(
  names: readonly string[],
  learners: readonly string[],
  entered: string,
): readonly { name: string; learner: string }[] {
  const sought = entered.trim().toLowerCase()
  if (sought === '') return []
  const places = names.map((name, index) => {
    const learner = learners[index] ?? ''
    const at = [learner, name].map((text) => text.toLowerCase().indexOf(sought)).filter((place) => place !== -1)
    return { name, learner, at: Math.min(...at) }
  })
  return places
    .filter(({ at }) => at !== Number.POSITIVE_INFINITY)
    .toSorted((a, b) => Number(a.at > 0) - Number(b.at > 0))
    .map(({ name, learner }) => ({ name, learner }))
}
