import type { AzureContext } from './arm/mount.ts'
import { LongOperations } from './arm/long-operations.ts'
import type { Operation } from './arm/operation.ts'
import { pollOperations } from './arm/polls.ts'
import { firstShown, hideNewerFields } from './arm/field-versions.ts'
import { Resources } from './arm/resources.ts'
import { tables } from './arm/tables.ts'
import type { AzureCloud } from './cloud.ts'
import { Accounts, accountTable } from './compute/accounts.ts'
import { catalogueOperations } from './compute/catalogue.ts'
import { diskEffects, diskOperations } from './compute/disks.ts'
import { extensionDeleteEffects, extensionDeleteOperations } from './compute/extension-delete.ts'
import { extensionEffects, extensionOperations } from './compute/extensions.ts'
import { machineCreateOperations } from './compute/machine-create.ts'
import { machineDeleteOperations } from './compute/machine-delete.ts'
import { machineEffects } from './compute/machine-effects.ts'
import { machinePowerOperations } from './compute/machine-power.ts'
import { machineReadOperations } from './compute/machine-read.ts'
import { Machines, machineTables } from './compute/machines.ts'
import { platformImageOperations } from './compute/platform-images.ts'
import { reservedNetworkInterfaceTable } from './compute/reserved-network-interfaces.ts'
import { definitionOperations } from './gallery/definitions.ts'
import { galleryOperations } from './gallery/galleries.ts'
import { galleryEffects } from './gallery/gallery-resource.ts'
import { versionEffects, versionOperations } from './gallery/versions.ts'
import { permissionOperations } from './authorization/permissions.ts'
import { assignmentTable, roleAssignmentOperations } from './authorization/role-assignments.ts'
import { policyInsightOperations } from './governance/policies.ts'
import { groupContentOperations } from './groups/group-content.ts'
import { resourceGroupEffects, resourceGroupOperations } from './groups/resource-groups.ts'
import { agreementOperations } from './marketplace/agreements.ts'
import { metricsBatchOperations } from './monitor/metrics-batch.ts'
import { processorTables } from './monitor/cpu-load.ts'
import { networkInterfaceOperations } from './network/network-interfaces.ts'
import { networkEffects } from './network/network-resource.ts'
import { privateAddressTable } from './network/private-addresses.ts'
import { publicAddressOperations } from './network/public-addresses.ts'
import { routeTableOperations } from './network/route-tables.ts'
import { securityGroupOperations } from './network/security-groups.ts'
import { securityRuleOperations } from './network/security-rules.ts'
import { subnetOperations } from './network/subnets.ts'
import { greeters } from './network/programs.ts'
import { networkUsageOperations } from './network/usages.ts'
import { virtualNetworkOperations } from './network/virtual-networks.ts'
import { policyAssignmentOperations, policyTable } from './policy/policy-assignments.ts'
import { providerOperations } from './subscriptions/providers.ts'
import { subscriptionOperations } from './subscriptions/subscriptions.ts'
import { LateCalls } from '@trainyard/platform/emulator/faults/late-calls.ts'
import { Directory } from './directory.ts'
import type { Emulated } from '@trainyard/platform/emulator/part.ts'

const opened = new WeakMap<Emulated, AzureContext>()

/** Returns Azure in this emulator. Parts that belong to Azure's subscription use the same one. */
export function azureOf(emulated: Emulated): AzureContext {
  const known = opened.get(emulated)
  if (known !== undefined) return known
  const context = { ...emulated, cloud: openAzure(emulated), inside: { programs: greeters } }
  opened.set(emulated, context)
  return context
}

function openAzure({ database, settings, calls, options: { latency = 1 } }: Emulated): AzureCloud {
  for (const schema of [
    tables,
    machineTables,
    assignmentTable,
    policyTable,
    accountTable,
    privateAddressTable,
    reservedNetworkInterfaceTable,
    processorTables,
  ])
    database.applySchema(schema)
  const cloud: AzureCloud = {
    database,
    settings,
    resources: new Resources(database),
    operations: new LongOperations(database, latency),
    machines: new Machines(database),
    directory: new Directory(database),
    late: new LateCalls(),
    accounts: new Accounts(database),
    calls,
  }
  cloud.operations.registerEffects({
    ...resourceGroupEffects(cloud),
    ...networkEffects(cloud),
    ...diskEffects(cloud),
    ...machineEffects(cloud),
    ...extensionEffects(cloud),
    ...extensionDeleteEffects(cloud),
    ...galleryEffects(cloud),
    ...versionEffects(cloud),
  })
  return cloud
}

export function azureOperations(cloud: AzureCloud): Operation[] {
  return [
    ...subscriptionOperations(cloud),
    ...providerOperations(cloud),
    ...permissionOperations(cloud),
    ...hideNewerFields(firstShown.groups, resourceGroupOperations(cloud)),
    ...groupContentOperations(cloud),
    ...roleAssignmentOperations(cloud),
    ...policyAssignmentOperations(cloud),
    ...policyInsightOperations(cloud),
    ...hideNewerFields(firstShown.network, [
      ...virtualNetworkOperations(cloud),
      ...subnetOperations(cloud),
      ...routeTableOperations(cloud),
      ...securityGroupOperations(cloud),
      ...securityRuleOperations(cloud),
      ...publicAddressOperations(cloud),
      ...networkInterfaceOperations(cloud),
      ...networkUsageOperations(cloud),
    ]),
    ...hideNewerFields(firstShown.machines, [...machineCreateOperations(cloud), ...machineReadOperations(cloud)]),
    ...machinePowerOperations(cloud),
    ...machineDeleteOperations(cloud),
    ...extensionOperations(cloud),
    ...extensionDeleteOperations(cloud),
    ...diskOperations(cloud),
    ...galleryOperations(cloud),
    ...hideNewerFields(firstShown.images, definitionOperations(cloud)),
    ...versionOperations(cloud),
    ...catalogueOperations(cloud),
    ...platformImageOperations(cloud),
    ...agreementOperations(cloud),
    ...metricsBatchOperations(cloud),
    ...pollOperations(cloud),
  ]
}
