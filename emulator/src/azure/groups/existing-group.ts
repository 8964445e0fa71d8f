import type { AzureCloud } from '#src/azure/cloud.ts'
import { groupId, keyOf } from '#src/azure/arm/ids.ts'
import { param, type Call } from '#src/azure/arm/operation.ts'
import { groupNotFound, Refusal } from '#src/azure/arm/refusal.ts'
import type { Resource } from '#src/azure/arm/resources.ts'

/** The group that the path names, or the refusal that there is none. */
export function existingGroup(cloud: AzureCloud, call: Call): Resource {
  const name = param(call, 'group')
  const group = cloud.resources.find(keyOf(groupId(param(call, 'subscription'), name)))
  if (group === undefined) throw groupNotFound(name)
  return group
}

/** The same, for something to be made in it: a group on its way out takes nothing more. */
export function openGroup(cloud: AzureCloud, call: Call): Resource {
  const group = existingGroup(cloud, call)
  if (group.state === 'Deleting') {
    throw new Refusal(
      409,
      'ResourceGroupBeingDeleted',
      `The resource group '${group.name}' is in deprovisioning state and cannot perform this operation.`,
    )
  }
  return group
}
