import type { AzureCloud } from '#src/azure/cloud.ts'
import { removeMachine } from '#src/azure/compute/machine-delete.ts'
import { iso, wholeSecond } from '#src/clock/clock.ts'

export const actions = ['vanish', 'shutdown', 'start', 'deallocate'] as const

/**
 * Something happens to a machine that nobody asked for through the interface, at once: it is deleted with all that
 * it brought (`vanish`), shut down from inside, started or deallocated by somebody else. Answers with what it did,
 * undefined when there is no such machine, or the sentence why not.
 */
export function actBehindOurBack(
  cloud: AzureCloud,
  action: (typeof actions)[number],
  name: string,
  resourceGroup: string | undefined,
  now: number,
): { id: string; power: string | null; at: string } | string | undefined {
  const found = cloud.machines
    .existingByName(name)
    .filter(
      ({ group_name: group }) => resourceGroup === undefined || group.toLowerCase() === resourceGroup.toLowerCase(),
    )
  const [machine, another] = found
  if (machine === undefined) return undefined
  if (another !== undefined) return `Several machines are called ${name}; name one by ?resourceGroup=.`
  const at = iso(wholeSecond(now))
  cloud.operations.preempt(machine.key, now)
  if (action === 'vanish') {
    removeMachine(cloud, cloud.resources.get(machine.key), now)
    return { id: machine.id, power: null, at }
  }
  if (machine.power === null) return `${name} has no power to change.`
  const power = ({ shutdown: 'stopped', start: 'running', deallocate: 'deallocated' } as const)[action]
  if (machine.power !== power) {
    if (action === 'shutdown' && machine.power !== 'running') return `${name} does not run.`
    cloud.machines.power(machine.uid, power, now)
    cloud.resources.setState(machine.key, 'Succeeded')
    // Azure tells of the end of others' commands; a shutdown from inside the machine it only notices.
    if (action !== 'shutdown') cloud.machines.changed(machine.uid, now, null)
  }
  return { id: machine.id, power, at }
}
