import type { AzureCloud } from './cloud.ts'
import { allAssignments } from './authorization/role-assignments.ts'
import { groupType } from './groups/resource-groups.ts'
import { networkInterfaceKind, networkInterfaceType } from './network/network-interfaces.ts'
import type { NetworkResourceType } from './network/network-resource-type.ts'
import { addressType, publicAddressKind } from './network/public-addresses.ts'
import { securityGroupKind } from './network/security-groups.ts'
import { securityGroupType } from './network/security-rules.ts'
import { networkType } from './network/subnets.ts'
import { virtualNetworkKind } from './network/virtual-networks.ts'
import { extensionType } from './compute/extensions.ts'
import { definitionType, galleryType, versionType } from './gallery/gallery-resource.ts'
import { diskType } from './compute/disks.ts'
import type { Resource } from './arm/resources.ts'
import { iso } from '@trainyard/platform/emulator/clock/clock.ts'
import { recordedMachines } from './recorded-machines.ts'
import { allPolicies } from './policy/policy-assignments.ts'
import { recordedUsers } from './recorded-users.ts'

export function truthParts(cloud: AzureCloud): Record<string, (now: number) => unknown> {
  const views: Record<string, NetworkResourceType> = {
    [networkType]: virtualNetworkKind(cloud),
    [securityGroupType]: securityGroupKind(cloud),
    [addressType]: publicAddressKind(cloud),
    [networkInterfaceType]: networkInterfaceKind(cloud),
  }
  const existing = (type: string, extraFields: (resource: Resource) => object = () => ({})) =>
    cloud.resources.ofType(type).map((resource) =>
      Object.assign(
        {
          id: resource.id,
          name: resource.name,
          resourceGroup: resource.group.slice(resource.group.lastIndexOf('/') + 1),
          location: resource.location,
          tags: resource.tags ?? {},
          state: resource.state,
          createdAt: iso(resource.createdAt),
        },
        propertiesOf(views[type]?.view(resource) ?? resource.doc),
        extraFields(resource),
      ),
    )
  return {
    machines: (now) => recordedMachines(cloud, now),
    resourceGroups: () => existing(groupType),
    networks: () => existing(networkType),
    securityGroups: () =>
      existing(securityGroupType, (securityGroup) => ({ rules: rulesOf(cloud, securityGroup.key) })),
    addresses: () => existing(addressType),
    networkInterfaces: () => existing(networkInterfaceType),
    disks: () =>
      existing(diskType, (disk) => ({ managedBy: cloud.resources.linksTo(disk.key, 'disk')[0]?.via ?? null })),
    galleries: () => existing(galleryType),
    imageDefinitions: () => existing(definitionType),
    imageVersions: () => existing(versionType),
    extensions: () => existing(extensionType),
    users: () => recordedUsers(cloud),
    roleAssignments: () => allAssignments(cloud),
    policyAssignments: () => allPolicies(cloud),
  }
}

export const longTruthParts = (cloud: AzureCloud): Record<string, (now: number) => unknown> => ({
  operations: () =>
    cloud.database
      .all<{
        id: string
        name: string
        target: string
        status: string
        started_at: number
        ends_at: number | null
        ended_at: number | null
      }>('SELECT id, name, target, status, started_at, ends_at, ended_at FROM operation ORDER BY rowid')
      .map((row) => ({
        id: row.id,
        operation: row.name,
        target: row.target,
        status: row.status,
        startedAt: iso(row.started_at),
        endsAt: row.ends_at === null ? null : iso(row.ends_at),
        endedAt: row.ended_at === null ? null : iso(row.ended_at),
      })),
  history: () =>
    cloud.database
      .all<{ at: number; event: string; type: string; id: string }>(
        'SELECT at, event, type, id FROM history ORDER BY seq',
      )
      .map(({ at, event, type, id }) => ({ at: iso(at), event, type, id })),
})

function propertiesOf(view: unknown): object {
  const { properties } = view as { properties?: object }
  return properties === undefined ? {} : { properties }
}

function rulesOf(cloud: AzureCloud, securityGroup: string): unknown[] {
  return cloud.resources
    .parts(securityGroup)
    .map((rule) => Object.assign({ name: rule.name, state: rule.state }, rule.doc))
}
