import type { AzureCloud } from '#src/azure/cloud.ts'
import type { Answer, Call } from '#src/azure/arm/operation.ts'
import { whereItsStatusIs } from '#src/azure/arm/polls.ts'
import type { Resource } from '#src/azure/arm/resources.ts'
import { durationOf } from '#src/azure/durations.ts'
import { machineView } from '#src/azure/compute/machine-view.ts'

/** A PUT or PATCH of a machine that stands is work for a while, even where it changes nothing. */
export function beginUpdate(cloud: AzureCloud, call: Call, machine: Resource): Answer {
  cloud.resources.setState(machine.key, 'Updating')
  cloud.machines.changed(machine.uid, call.now, null)
  const work = { effect: 'machine.updated', seconds: durationOf('machineUpdate', machine.name) }
  const operation = cloud.operations.begin(call, machine, work)
  return { status: 200, headers: whereItsStatusIs(cloud, call, operation), body: modelOf(cloud, machine.key) }
}

export function modelOf(cloud: AzureCloud, key: string): unknown {
  const resource = cloud.resources.get(key)
  return machineView(resource, cloud.machines.get(resource.uid), 'model')
}
