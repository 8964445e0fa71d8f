import type { OwnClass } from '@trainyard/contract/calls/classroom.ts'
import type { Machine } from '@trainyard/contract/calls/machine.ts'
import { inWords } from '@trainyard/contract/words/operation.ts'
import { minutesInWords } from '#src/training/daily.ts'

export interface NextStop {
  readonly at: Date
  readonly why: string
}

type Stopped = Pick<Machine, 'name' | 'isRunning' | 'quota'>

/**
 * Returns the first of what stops a machine: a schedule, that nobody uses it, that its hours are used up; null: nothing
 * does, or it does not run. Without a machine, the next schedule of the training.
 * @param asOf when the machine's hours were told
 */
export function nextStopOf(machine: Stopped | null, own: OwnClass | undefined, asOf: Date): NextStop | null {
  if (machine !== null && !machine.isRunning) return null
  const scheduled = own?.nextStopAt ?? null
  const idle = own?.machines.find(({ vmName }) => vmName === machine?.name)?.stopsAt ?? null
  const stops: NextStop[] = []
  if (scheduled !== null) stops.push({ at: new Date(scheduled), why: 'a schedule stops it.' })
  if (idle !== null) stops.push({ at: new Date(idle), why: 'nobody has used it.' })
  if (machine !== null && machine.quota.total !== null) {
    const left = Math.max(0, machine.quota.total - machine.quota.consumed)
    stops.push({ at: new Date(asOf.getTime() + left * 60_000), why: 'its hours are used up then.' })
  }
  return stops.toSorted((a, b) => a.at.getTime() - b.at.getTime())[0] ?? null
}

/** '1 h 20 min', and within the last two minutes '95 s'. */
export function untilInWords(at: Date, now: Date): string {
  const seconds = Math.max(0, (at.getTime() - now.getTime()) / 1000)
  return seconds < 120 ? inWords(seconds) : minutesInWords(Math.ceil(seconds / 60))
}
