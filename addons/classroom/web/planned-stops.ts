import type { OwnClass } from '../contract/classroom.ts'
import type { NextStop } from '@trainyard/home/web/next-stop.ts'

/**
 * Returns when a learner's machine is stopped by a schedule or because it is idle.
 * @param vmName null for the training's scheduled stop only
 */
export function plannedStopsOf(own: OwnClass | undefined, vmName: string | null): readonly NextStop[] {
  const scheduled = own?.nextStopAt ?? null
  const idle = own?.machines.find((machine) => machine.vmName === vmName)?.stopsAt ?? null
  return [
    ...(scheduled === null ? [] : [{ at: new Date(scheduled), why: 'a schedule stops it.' }]),
    ...(idle === null ? [] : [{ at: new Date(idle), why: 'it is idle.' }]),
  ]
}
