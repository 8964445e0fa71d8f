import type { Machine } from '@trainyard/contract/calls/machine.ts'

/** The machines whose name, learner, address, state or system holds what was typed; all when nothing was. */
export function findMachines(machines: readonly Machine[], typed: string): readonly Machine[] {
  const sought = typed.trim().toLowerCase()
  if (sought === '') return machines
  return machines.filter((machine) =>
    [machine.name, machine.email, machine.publicIp, machine.status, machine.os].some((text) =>
      text?.toLowerCase().includes(sought),
    ),
  )
}
