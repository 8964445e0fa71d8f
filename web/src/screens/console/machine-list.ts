import type { Machine } from '@trainyard/contract/calls/machine.ts'

/** The list with the machines that changed put in by `_id`; new ones go to the end. What did not change stays itself. */
export function mergeMachines(list: readonly Machine[], changed: readonly Machine[]): Machine[] {
  const rest = new Map(changed.map((machine) => [machine._id, machine]))
  const merged = list.map((machine) => {
    const fresh = rest.get(machine._id)
    rest.delete(machine._id)
    return fresh ?? machine
  })
  return [...merged, ...rest.values()]
}

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

/** A list in parts of at most `size`. */
export function partsOf<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, part) => list.slice(part * size, (part + 1) * size))
}
