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
