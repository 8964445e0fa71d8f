import type { AzureCloud } from './cloud.ts'
import { removeMachine } from './compute/machine-delete.ts'
import { iso, wholeSecond } from '@trainyard/platform/emulator/clock/clock.ts'

export const OUTSIDE_CHANGES = ['vanish', 'shutdown', 'start', 'deallocate'] as const

/**
 * Changes a machine as another party would, without a call to the provider's interface. `vanish` also deletes resources
 * with the delete option. Returns what was done, undefined if there is no such machine, or the reason of a refusal.
 */
export function applyOutsideChange(
  cloud: AzureCloud,
  action: (typeof OUTSIDE_CHANGES)[number],
  name: string,
  resourceGroup: string | undefined,
  now: number,
): { id: string; power: string | null; at: string } | string | undefined {
  const found = cloud.machines
    .existingByName(name)
    .filter(
      ({ group_name: group }) => resourceGroup === undefined || group.toLowerCase() === resourceGroup.toLowerCase(),
    )
  const [machine, duplicate] = found
  if (machine === undefined) return undefined
  if (duplicate !== undefined) return `Several machines are named ${name}. Choose one with ?resourceGroup=.`
  const at = iso(wholeSecond(now))
  cloud.operations.preempt(machine.key, now)
  if (action === 'vanish') {
    removeMachine(cloud, cloud.resources.get(machine.key), now)
    return { id: machine.id, power: null, at }
  }
  if (machine.power === null) return `${name} has no power state.`
  const power = ({ shutdown: 'stopped', start: 'running', deallocate: 'deallocated' } as const)[action]
  if (machine.power !== power) {
    if (action === 'shutdown' && machine.power !== 'running') return `${name} is not running.`
    cloud.machines.setPower(machine.uid, power, now)
    cloud.resources.setState(machine.key, 'Succeeded')
    // The operation log has the commands of other callers. A shutdown from inside the machine is not a command.
    if (action !== 'shutdown') cloud.machines.recordProvisioning(machine.uid, now, null)
  }
  return { id: machine.id, power, at }
}
