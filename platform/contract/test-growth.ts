/**
 * Returns how many times longer `run` takes for `size` than for a quarter of it, in CPU time: about 4 if its time grows
 * linearly, about 16 if it grows quadratically, about 1 if it stops reading early. A ratio does not depend on the
 * machine, and the shortest of several rounds not on its load.
 */
export function growthOfTime(run: (size: number) => unknown, size: number): number {
  const small = Math.floor(size / 4)
  let repeats = 1
  while (cpuTimeOf(() => run(small), repeats) < SHORTEST_MS) repeats *= 2
  let [ofSmall, ofLarge] = [Infinity, Infinity]
  for (let round = 0; round < 5; round += 1) {
    ofSmall = Math.min(
      ofSmall,
      cpuTimeOf(() => run(small), repeats),
    )
    ofLarge = Math.min(
      ofLarge,
      cpuTimeOf(() => run(size), repeats),
    )
  }
  return ofLarge / ofSmall
}

/** Upper limit of the growth of linear work, half of what quadratic work takes. */
export const LINEAR = 8

/** Shortest measured time in milliseconds, far above the resolution of the clock. */
const SHORTEST_MS = 2

function cpuTimeOf(run: () => unknown, repeats: number): number {
  const before = process.cpuUsage()
  for (let n = 0; n < repeats; n += 1) run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}
