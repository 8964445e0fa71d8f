import type { AzureContext } from '#src/azure/arm/mount.ts'
import { LongOperations } from '#src/azure/arm/long-operations.ts'
import type { Operation } from '#src/azure/arm/operation.ts'
import { pollOperations } from '#src/azure/arm/polls.ts'
import { firstShown, hideNewerFields } from '#src/azure/arm/field-versions.ts'
import { Resources } from '#src/azure/arm/resources.ts'
import { tables } from '#src/azure/arm/tables.ts'
import type { AzureCloud } from '#src/azure/cloud.ts'
import { Accounts, accountTable } from '#src/azure/compute/accounts.ts'
import { catalogueOperations } from '#src/azure/compute/catalogue.ts'
import { diskEffects, diskOperations } from '#src/azure/compute/disks.ts'
import { extensionDeleteEffects, extensionDeleteOperations } from '#src/azure/compute/extension-delete.ts'
import { extensionEffects, extensionOperations } from '#src/azure/compute/extensions.ts'
import { machineCreateOperations } from '#src/azure/compute/machine-create.ts'
import { machineDeleteOperations } from '#src/azure/compute/machine-delete.ts'
import { machineEffects } from '#src/azure/compute/machine-effects.ts'
import { machinePowerOperations } from '#src/azure/compute/machine-power.ts'
import { machineReadOperations } from '#src/azure/compute/machine-read.ts'
import { Machines, machineTables } from '#src/azure/compute/machines.ts'
import { platformImageOperations } from '#src/azure/compute/platform-images.ts'
import { reservedNetworkInterfaceTable } from '#src/azure/compute/reserved-network-interfaces.ts'
import { definitionOperations } from '#src/azure/gallery/definitions.ts'
import { galleryOperations } from '#src/azure/gallery/galleries.ts'
import { galleryEffects } from '#src/azure/gallery/gallery-resource.ts'
import { versionEffects, versionOperations } from '#src/azure/gallery/versions.ts'
import { permissionOperations } from '#src/azure/authorization/permissions.ts'
import { assignmentTable, roleAssignmentOperations } from '#src/azure/authorization/role-assignments.ts'
import { policyInsightOperations } from '#src/azure/governance/policies.ts'
import { groupContentOperations } from '#src/azure/groups/group-content.ts'
import { resourceGroupEffects, resourceGroupOperations } from '#src/azure/groups/resource-groups.ts'
import { agreementOperations } from '#src/azure/marketplace/agreements.ts'
import { metricsBatchOperations } from '#src/azure/monitor/metrics-batch.ts'
import { processorTables } from '#src/azure/monitor/cpu-load.ts'
import { networkInterfaceOperations } from '#src/azure/network/network-interfaces.ts'
import { networkEffects } from '#src/azure/network/network-resource.ts'
import { privateAddressTable } from '#src/azure/network/private-addresses.ts'
import { publicAddressOperations } from '#src/azure/network/public-addresses.ts'
import { routeTableOperations } from '#src/azure/network/route-tables.ts'
import { securityGroupOperations } from '#src/azure/network/security-groups.ts'
import { securityRuleOperations } from '#src/azure/network/security-rules.ts'
import { subnetOperations } from '#src/azure/network/subnets.ts'
import { networkUsageOperations } from '#src/azure/network/usages.ts'
import { virtualNetworkOperations } from '#src/azure/network/virtual-networks.ts'
import { policyAssignmentOperations, policyTable } from '#src/azure/policy/policy-assignments.ts'
import { providerOperations } from '#src/azure/subscriptions/providers.ts'
import { subscriptionOperations } from '#src/azure/subscriptions/subscriptions.ts'
import { LateCalls } from '#src/faults/late-calls.ts'
import { Directory } from '#src/graph/directory.ts'
import type { Emulated } from '#src/part.ts'

const opened = new WeakMap<Emulated, AzureContext>()

/** Returns Azure in this emulator. Parts that belong to Azure's subscription use the same one. */
export function azureOf(emulated: Emulated): AzureContext {
  const known = opened.get(emulated)
  if (known !== undefined) return known
  const context = { ...emulated, cloud: openAzure(emulated) }
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
