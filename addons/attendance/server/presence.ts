/** Period between two instants in milliseconds since 1970. `until` is excluded. */
export interface Interval {
  readonly from: number
  readonly until: number
}

export interface LearnerRecords {
  readonly connections: readonly Interval[]
  readonly inputs: readonly Interval[]
  readonly runs: readonly Interval[]
}

export interface Day extends Interval {
  readonly date: string
}

/** Durations in seconds. */
export interface Presence {
  readonly connected: number
  readonly active: number
  readonly machine: number
  readonly firstSeen: number | null
  readonly lastSeen: number | null
}

/**
 * Returns the presence within an interval. Concurrent connections count once. Activity counts only during a connection.
 */
export function presenceIn(within: Interval, { connections, inputs, runs }: LearnerRecords): Presence {
  const connected = union(clip(connections, within))
  const active = union(connected.flatMap((connection) => clip(inputs, connection)))
  return {
    connected: seconds(connected),
    active: seconds(active),
    machine: seconds(union(clip(runs, within))),
    firstSeen: connected[0]?.from ?? null,
    lastSeen: connected.at(-1)?.until ?? null,
  }
}

const clip = (intervals: readonly Interval[], bounds: Interval): Interval[] =>
  intervals
    .map(({ from, until }) => ({ from: Math.max(from, bounds.from), until: Math.min(until, bounds.until) }))
    .filter(({ from, until }) => until > from)

/** Returns the union of the intervals as disjoint intervals in ascending order. */
function union(intervals: readonly Interval[]): Interval[] {
  const merged: Interval[] = []
  for (const next of intervals.toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1)
    if (last !== undefined && next.from <= last.until) {
      merged[merged.length - 1] = { from: last.from, until: Math.max(last.until, next.until) }
    } else {
      merged.push(next)
    }
  }
  return merged
}

const seconds = (intervals: readonly Interval[]): number =>
  intervals.reduce((sum, { from, until }) => sum + (until - from) / 1000, 0)
