import type { AzureCloud } from '@trainyard/azure/emulator/cloud.ts'
import type { Effect } from '@trainyard/azure/emulator/arm/long-operations.ts'
import type { Operation } from '@trainyard/azure/emulator/arm/operation.ts'
import { assignmentsOfResource } from '@trainyard/azure/emulator/authorization/role-assignments.ts'
import { imageOperations } from './images.ts'
import { labServicesEffects, labType, requireTracked } from './lab-resource.ts'
import { labEffects, labOperations } from './labs.ts'
import { machineOperations, machineStateEffects } from './machines.ts'
import { planOperations } from './plans.ts'
import { sizeOperations } from './sizes.ts'
import { childOperations, invitationEffects } from './users.ts'

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
