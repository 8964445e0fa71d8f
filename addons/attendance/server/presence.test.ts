import { expect, test } from 'vitest'
import { type Interval, presenceIn } from './presence.ts'

/** Reference implementation: tests each second of the interval. */
function bySecond(within: Interval, connections: readonly Interval[], inputs: readonly Interval[]) {
  const isCovered = (at: number, intervals: readonly Interval[]) =>
    intervals.some(({ from, until }) => at >= from && at < until)
  const coveredSeconds: number[] = []
  let active = 0
  for (let at = within.from; at < within.until; at += 1000) {
    if (!isCovered(at, connections)) continue
    coveredSeconds.push(at)
    if (isCovered(at, inputs)) active++
  }
  const last = coveredSeconds.at(-1)
  return {
    connected: coveredSeconds.length,
    active,
    firstSeen: coveredSeconds[0] ?? null,
    lastSeen: last === undefined ? null : last + 1000,
  }
}

test('agrees with a count of single seconds for random overlapping connections and inputs', () => {
  let state = 20261125
  const random = (maximum: number) => (state = (state * 48_271) % 2_147_483_647) % maximum
  const intervals = (count: number): Interval[] =>
    Array.from({ length: random(count) }, () => {
      const from = random(900) * 1000
      return { from, until: from + (1 + random(300)) * 1000 }
    })
  for (let round = 0; round < 200; round++) {
    const [connections, inputs] = [intervals(6), intervals(8)]
    const within = { from: random(400) * 1000, until: (500 + random(500)) * 1000 }
    const { machine, ...presence } = presenceIn(within, { connections, inputs, runs: connections })
    expect(presence).toEqual(bySecond(within, connections, inputs))
    expect(machine).toBe(presence.connected)
  }
})
