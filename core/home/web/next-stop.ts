import type { Machine } from '@trainyard/machines/contract/machine.ts'

export interface NextStop {
  readonly at: Date
  readonly why: string
}

type Stopped = Pick<Machine, 'isRunning' | 'quota'>

/**
 * Returns the earliest planned stop, or the moment when the machine's hours are used up.
 * @param machine null for the planned stops only
 * @param asOf time of the machine's used-hours figure
 */
export function nextStopOf(machine: Stopped | null, planned: readonly NextStop[], asOf: Date): NextStop | null {
  if (machine !== null && !machine.isRunning) return null
  const stops = [...planned]
  if (machine !== null && machine.quota.total !== null) {
    const left = Math.max(0, machine.quota.total - machine.quota.consumed)
    stops.push({ at: new Date(asOf.getTime() + left * 60_000), why: 'its hours are used up.' })
  }
  return stops.toSorted((a, b) => a.at.getTime() - b.at.getTime())[0] ?? null
}
