import type { AzureCloud } from '../cloud.ts'
import { keyOf, resourceId } from '../arm/ids.ts'
import { param, type Call } from '../arm/operation.ts'
import { resourceNotFound } from '../arm/refusal.ts'
import type { Resource } from '../arm/resources.ts'
import { requireGroup } from './existing-group.ts'

export function idIn(call: Call, group: Resource, type: string): string {
  return resourceId(param(call, 'subscription'), group.name, type, param(call, 'name'))
}

/** @throws Refusal if the group does not exist */
export function findResource(cloud: AzureCloud, call: Call, type: string): Resource | undefined {
  return cloud.resources.find(keyOf(idIn(call, requireGroup(cloud, call), type)))
}

/** @throws Refusal if the resource does not exist */
export function requireResource(cloud: AzureCloud, call: Call, type: string): Resource {
  const found = findResource(cloud, call, type)
  if (found === undefined) throw resourceNotFound(type, param(call, 'name'), requireGroup(cloud, call).name)
  return found
}
