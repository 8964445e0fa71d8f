import type { OwnClass } from '@trainyard/contract/calls/classroom.ts'
import type { Machine } from '@trainyard/contract/calls/machine.ts'

export interface NextStop {
  readonly at: Date
  readonly why: string
}

type Stopped = Pick<Machine, 'name' | 'isRunning' | 'quota'>

/**
 * Without a machine, returns the training's next scheduled stop.
 * @param asOf time of the machine's used-hours figure
 */
export function nextStopOf(machine: Stopped | null, own: OwnClass | undefined, asOf: Date): NextStop | null {
  if (machine !== null && !machine.isRunning) return null
  const scheduled = own?.nextStopAt ?? null
  const idle = own?.machines.find(({ vmName }) => vmName === machine?.name)?.stopsAt ?? null
  const stops: NextStop[] = []
  if (scheduled !== null) stops.push({ at: new Date(scheduled), why: 'a schedule stops it.' })
  if (idle !== null) stops.push({ at: new Date(idle), why: 'it is idle.' })
  if (machine !== null && machine.quota.total !== null) {
    const left = Math.max(0, machine.quota.total - machine.quota.consumed)
    stops.push({ at: new Date(asOf.getTime() + left * 60_000), why: 'its hours are used up.' })
  }
  return stops.toSorted((a, b) => a.at.getTime() - b.at.getTime())[0] ?? null
}
