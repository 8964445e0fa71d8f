import type { AzureCloud } from '../cloud.ts'
import { groupId, keyOf } from '../arm/ids.ts'
import { param, type Call } from '../arm/operation.ts'
import { groupNotFound, Refusal } from '../arm/refusal.ts'
import type { Resource } from '../arm/resources.ts'

/** @throws Refusal if the group does not exist */
export function requireGroup(cloud: AzureCloud, call: Call): Resource {
  const name = param(call, 'group')
  const group = cloud.resources.find(keyOf(groupId(param(call, 'subscription'), name)))
  if (group === undefined) throw groupNotFound(name)
  return group
}

/** @throws Refusal if the group does not exist or is being deleted */
export function requireGroupNotDeleting(cloud: AzureCloud, call: Call): Resource {
  const group = requireGroup(cloud, call)
  if (group.state === 'Deleting') {
    throw new Refusal(
      409,
      'ResourceGroupBeingDeleted',
      `The resource group '${group.name}' is in deprovisioning state and cannot perform this operation.`,
    )
  }
  return group
}
