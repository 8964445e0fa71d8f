import type { AzureCloud } from '#src/azure/cloud.ts'
import { keyOf, resourceId } from '#src/azure/arm/ids.ts'
import { param, type Call } from '#src/azure/arm/operation.ts'
import { resourceNotFound } from '#src/azure/arm/refusal.ts'
import type { Resource } from '#src/azure/arm/resources.ts'
import { existingGroup } from '#src/azure/groups/existing-group.ts'

export function idIn(call: Call, group: Resource, type: string): string {
  return resourceId(param(call, 'subscription'), group.name, type, param(call, 'name'))
}

/** The resource that the path names, undefined when there is none; the refusal when there is no such group. */
export function findNamed(cloud: AzureCloud, call: Call, type: string): Resource | undefined {
  return cloud.resources.find(keyOf(idIn(call, existingGroup(cloud, call), type)))
}

/** The resource that the path names, or Azure's refusal. */
export function existingResource(cloud: AzureCloud, call: Call, type: string): Resource {
  const found = findNamed(cloud, call, type)
  if (found === undefined) throw resourceNotFound(type, param(call, 'name'), existingGroup(cloud, call).name)
  return found
}
