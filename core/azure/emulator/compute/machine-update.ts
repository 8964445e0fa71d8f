import type { AzureCloud } from '../cloud.ts'
import type { Answer, Call } from '../arm/operation.ts'
import { statusHeaders } from '../arm/polls.ts'
import type { Resource } from '../arm/resources.ts'
import { durationOf } from '../durations.ts'
import { machineView } from './machine-view.ts'

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
