import type { AzureCloud } from '../cloud.ts'
import { iso } from '@trainyard/platform/emulator/clock/clock.ts'
import { groupId, keyOf, nameIn, parseResourceId, resourceId } from '../arm/ids.ts'
import { envelopeOf } from '../arm/envelope.ts'
import type { Effect } from '../arm/long-operations.ts'
import { paths, versions, type Operation } from '../arm/operation.ts'
import { listOf } from '../arm/paging.ts'
import { Refusal, resourceNotFound } from '../arm/refusal.ts'
import { beginRemoval, findRemovalReply } from '../arm/removal.ts'
import type { Resource } from '../arm/resources.ts'
import { requireGroup } from '../groups/existing-group.ts'
import { findResource, requireResource } from '../groups/existing-resource.ts'
import { durationOf } from '../durations.ts'

export const diskType = 'Microsoft.Compute/disks'

export interface NewDisk {
  subscription: string
  group: Resource
  name: string
  location: string
  system: { readonly os: 'Windows' | 'Linux'; readonly generation: 'V1' | 'V2' } | undefined
  sizeGb: number
  storage: string
  creation: Record<string, unknown>
  tags: Readonly<Record<string, string>> | undefined
  zones: readonly string[] | undefined
}

export function addDisk(cloud: AzureCloud, disk: NewDisk, now: number): Resource {
  return cloud.resources.add(
    {
      id: resourceId(disk.subscription, disk.group.name, diskType, disk.name),
      type: diskType,
      subscription: disk.subscription,
      group: disk.group.key,
      name: disk.name,
      state: 'Succeeded',
      location: disk.location,
      tags: disk.tags,
      doc: {
        sku: { name: disk.storage },
        ...(disk.zones === undefined ? {} : { zones: disk.zones }),
        properties: {
          ...(disk.system === undefined ? {} : { osType: disk.system.os, hyperVGeneration: disk.system.generation }),
          creationData: disk.creation,
          diskSizeGB: disk.sizeGb,
          diskSizeBytes: disk.sizeGb * 2 ** 30,
          ...speedOf(disk.storage, disk.sizeGb),
          encryption: { type: 'EncryptionAtRestWithPlatformKey' },
          networkAccessPolicy: 'AllowAll',
          publicNetworkAccess: 'Enabled',
        },
      },
    },
    now,
  )
}

/** Premium disks: maximum size in GB, operations and megabytes per second, and tier. */
const premium = [
  [32, 120, 25, 'P4'],
  [64, 240, 50, 'P6'],
  [128, 500, 100, 'P10'],
  [256, 1100, 125, 'P15'],
  [512, 2300, 150, 'P20'],
  [Infinity, 5000, 200, 'P30'],
] as const

/** Sources: recordings of Standard_LRS and a Premium disk of 500 GB; otherwise the documentation (disks-types). */
function speedOf(
  storage: string,
  sizeGb: number,
): { diskIOPSReadWrite: number; diskMBpsReadWrite: number; tier?: string } {
  if (!storage.startsWith('Premium')) {
    return { diskIOPSReadWrite: 500, diskMBpsReadWrite: storage.startsWith('StandardSSD') ? 100 : 60 }
  }
  const [, diskIOPSReadWrite, diskMBpsReadWrite, tier] =
    premium.find(([maxSizeGb]) => sizeGb <= maxSizeGb) ?? premium[5]
  return { diskIOPSReadWrite, diskMBpsReadWrite, tier }
}

function diskView(cloud: AzureCloud, disk: Resource): unknown {
  const { sku, zones, properties } = disk.doc as {
    sku: { name: string }
    zones?: unknown
    properties: object
  }
  const machine = cloud.resources.linksTo(disk.key, 'disk')[0]
  const holder = machine === undefined ? undefined : cloud.resources.find(machine.source)
  const power = holder === undefined ? undefined : cloud.machines.find(holder.uid)?.power
  const attached = power === 'deallocated' ? 'Reserved' : 'Attached'
  return {
    ...envelopeOf(disk),
    ...(machine === undefined ? {} : { managedBy: machine.via }),
    sku: { ...sku, tier: sku.name.split('_')[0] },
    ...(zones === undefined ? {} : { zones }),
    properties: {
      ...properties,
      timeCreated: iso(disk.createdAt),
      uniqueId: disk.uid,
      provisioningState: disk.state,
      diskState: machine === undefined ? 'Unattached' : attached,
    },
  }
}

export function diskOperations(cloud: AzureCloud): Operation[] {
  const common = { path: paths.item(diskType), versions: versions.disks }
  const view = (disk: Resource): unknown => diskView(cloud, disk)
  return [
    {
      ...common,
      name: 'Disks_Get',
      method: 'GET',
      handle: (call) => ({ status: 200, body: view(requireResource(cloud, call, diskType)) }),
    },
    {
      ...common,
      name: 'Disks_ListByResourceGroup',
      path: paths.list(diskType),
      method: 'GET',
      handle: (call) => {
        requireGroup(cloud, call)
        return listOf(cloud, call, diskType, view)
      },
    },
    {
      ...common,
      name: 'Disks_List',
      path: paths.all(diskType),
      method: 'GET',
      handle: (call) => listOf(cloud, call, diskType, view),
    },
    {
      ...common,
      name: 'Disks_Delete',
      method: 'DELETE',
      handle: (call) => {
        const disk = findResource(cloud, call, diskType)
        if (disk === undefined) return { status: 204 }
        const joined = findRemovalReply(cloud, call, disk)
        if (joined !== undefined) return joined
        const holder = cloud.resources.linksTo(disk.key, 'disk')[0]
        if (holder !== undefined) {
          throw new Refusal(
            409,
            'OperationNotAllowed',
            `Disk ${disk.name} is attached to VM ${nameIn(holder.via)}. VM id: ${holder.via}.`,
          )
        }
        return beginRemoval(cloud, call, disk, { effect: 'disk.removed', seconds: durationOf('disk', disk.name) })
      },
    },
  ]
}

export function diskEffects(cloud: AzureCloud): Record<string, Effect> {
  return {
    'disk.removed': (operation, instant, failure) => {
      if (failure === null) cloud.resources.remove(operation.target, instant)
      else cloud.resources.setState(operation.target, 'Failed')
    },
  }
}

/** @throws Refusal if the disk does not exist or is already attached */
export function requireUnattached(cloud: AzureCloud, id: string): Resource {
  const disk = cloud.resources.find(keyOf(id))
  if (disk === undefined) {
    const parsedId = parseResourceId(id)
    throw resourceNotFound(diskType, nameIn(id), parsedId?.group ?? '')
  }
  const holder = cloud.resources.linksTo(disk.key, 'disk')[0]
  if (holder === undefined) return disk
  throw new Refusal(
    409,
    'ConflictingUserInput',
    `Disk '${disk.name}' cannot be attached as the disk is already owned by VM '${holder.via}'.`,
  )
}

export function refuseTakenDiskName(cloud: AzureCloud, subscription: string, group: Resource, name: string): void {
  const id = `${groupId(subscription, group.name)}/providers/${diskType}/${name}`
  if (cloud.resources.find(keyOf(id)) === undefined) return
  throw new Refusal(
    409,
    'ConflictingUserInput',
    `Disk ${name} already exists in resource group ${group.name.toUpperCase()}. Only CreateOption.Attach is supported.`,
  )
}
