import type { AzureCloud } from '#src/azure/cloud.ts'
import type { Answer, Call } from '#src/azure/arm/operation.ts'
import { statusHeaders } from '#src/azure/arm/polls.ts'
import type { Resource } from '#src/azure/arm/resources.ts'
import { durationOf } from '#src/azure/durations.ts'
import { machineView } from '#src/azure/compute/machine-view.ts'

export function beginUpdate(cloud: AzureCloud, call: Call, machine: Resource): Answer {
  cloud.resources.setState(machine.key, 'Updating')
  cloud.machines.recordProvisioning(machine.uid, call.now, null)
  const plan = { effect: 'machine.updated', seconds: durationOf('machineUpdate', machine.name) }
  const operation = cloud.operations.begin(call, machine, plan)
  return { status: 200, headers: statusHeaders(cloud, call, operation), body: modelOf(cloud, machine.key) }
}

export function modelOf(cloud: AzureCloud, key: string): unknown {
  const resource = cloud.resources.get(key)
  return machineView(resource, cloud.machines.get(resource.uid), 'model')
}
