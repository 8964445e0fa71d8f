import type { AzureCloud } from '#src/azure/cloud.ts'
import type { Effect } from '#src/azure/arm/long-operations.ts'
import type { Operation } from '#src/azure/arm/operation.ts'
import { assignmentsOfResource } from '#src/azure/authorization/role-assignments.ts'
import { imageOperations } from '#src/azure/lab-services/images.ts'
import { labServicesEffects, labType, requireTracked } from '#src/azure/lab-services/lab-resource.ts'
import { labEffects, labOperations } from '#src/azure/lab-services/labs.ts'
import { machineOperations, machineStateEffects } from '#src/azure/lab-services/machines.ts'
import { planOperations } from '#src/azure/lab-services/plans.ts'
import { sizeOperations } from '#src/azure/lab-services/sizes.ts'
import { childOperations, invitationEffects } from '#src/azure/lab-services/users.ts'

export const labServicesOperations = (cloud: AzureCloud): Operation[] => [
  ...planOperations(cloud),
  ...imageOperations(cloud),
  ...labOperations(cloud),
  ...childOperations(cloud),
  ...machineOperations(cloud),
  ...sizeOperations(cloud),
  assignmentsOfResource(cloud, labType, (call) => requireTracked(cloud, call, labType).id),
]

export const allLabServicesEffects = (cloud: AzureCloud): Record<string, Effect> => ({
  ...labServicesEffects(cloud),
  ...labEffects(cloud),
  ...machineStateEffects(cloud),
  ...invitationEffects(cloud),
})
