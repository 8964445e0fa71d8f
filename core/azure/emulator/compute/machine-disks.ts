import type { AzureCloud } from '../cloud.ts'
import { keyOf } from '../arm/ids.ts'
import type { Call } from '../arm/operation.ts'
import { param } from '../arm/operation.ts'
import { invalidParameter } from '../arm/refusal.ts'
import type { Resource } from '../arm/resources.ts'
import { addDisk, requireUnattached, refuseTakenDiskName } from './disks.ts'
import type { PlatformImage } from './images.ts'
import type { MachineBody, Os } from './machine-body.ts'

type OsDisk = MachineBody['properties']['storageProfile']['osDisk']
type DataDisk = NonNullable<MachineBody['properties']['storageProfile']['dataDisks']>[number]

interface DiskRequest {
  readonly cloud: AzureCloud
  readonly call: Call
  readonly group: Resource
  readonly body: MachineBody
  readonly os: Os
  readonly generation: 'V1' | 'V2'
  readonly platform: PlatformImage | null
  readonly location: string
  readonly machineId: string
  readonly machineName: string
  readonly suffix: string
}

export function makeDisks(diskRequest: DiskRequest): Record<string, unknown> {
  const { storageProfile } = diskRequest.body.properties
  const { imageReference, osDisk, dataDisks } = storageProfile
  return {
    ...storageProfile,
    ...(imageReference === undefined ? {} : { imageReference: { ...imageReference, ...exactVersion(diskRequest) } }),
    osDisk: makeOsDisk(diskRequest, osDisk),
    dataDisks: (dataDisks ?? []).map((disk) => makeDataDisk(diskRequest, disk)),
  }
}

function exactVersion({ platform }: DiskRequest): { exactVersion?: string } {
  return platform === null ? {} : { exactVersion: platform.version }
}

function makeOsDisk(diskRequest: DiskRequest, requested: OsDisk): Record<string, unknown> {
  const name = requested.name ?? `${diskRequest.machineName}_OsDisk_1_${diskRequest.suffix}`
  const sizeGb = requested.diskSizeGB ?? (diskRequest.os === 'Windows' ? 127 : 30)
  const visibleDisk = { caching: 'ReadWrite', deleteOption: 'Detach', ...requested, name, osType: diskRequest.os }
  if (requested.vhd !== undefined) return visibleDisk
  const creation = { createOption: 'FromImage', imageReference: { id: imageIdOf(diskRequest) } }
  return {
    ...visibleDisk,
    diskSizeGB: sizeGb,
    managedDisk: attach(diskRequest, requested, name, sizeGb, diskRequest.os, creation),
  }
}

function makeDataDisk(diskRequest: DiskRequest, requested: DataDisk): Record<string, unknown> {
  const name = requested.name ?? `${diskRequest.machineName}_DataDisk_${requested.lun}_${diskRequest.suffix}`
  const visibleDisk = { caching: 'None', deleteOption: 'Detach', toBeDetached: false, ...requested, name }
  if (requested.vhd !== undefined) return visibleDisk
  const sizeGb = requested.diskSizeGB ?? 32
  if (requested.createOption === 'Empty' && requested.diskSizeGB === undefined) {
    throw invalidParameter(
      `dataDisks[${requested.lun}].diskSizeGB`,
      "Required parameter 'dataDisk.diskSizeGB' is missing (null).",
    )
  }
  const creation = { createOption: 'Empty' }
  return {
    ...visibleDisk,
    diskSizeGB: sizeGb,
    managedDisk: attach(diskRequest, requested, name, sizeGb, undefined, creation),
  }
}

function attach(
  diskRequest: DiskRequest,
  requested: OsDisk | DataDisk,
  name: string,
  sizeGb: number,
  os: Os | undefined,
  creation: Record<string, unknown>,
): Record<string, unknown> {
  const { cloud, call, group, body, location, machineId } = diskRequest
  const existing = requested.createOption === 'Attach' ? requested.managedDisk?.id : undefined
  if (requested.createOption === 'Attach' && existing === undefined) {
    throw invalidParameter('managedDisk.id', "Required parameter 'managedDisk.id' is missing (null).")
  }
  const storage = requested.managedDisk?.storageAccountType ?? defaultStorage(body)
  if (existing === undefined) refuseTakenDiskName(cloud, param(call, 'subscription'), group, name)
  const disk =
    existing === undefined
      ? addDisk(
          cloud,
          {
            subscription: param(call, 'subscription'),
            group,
            name,
            location,
            system: os === undefined ? undefined : { os, generation: diskRequest.generation },
            sizeGb,
            storage,
            creation,
            tags: body.tags,
            zones: body.zones,
          },
          call.now,
        )
      : requireUnattached(cloud, existing)
  cloud.resources.link(keyOf(machineId), 'disk', disk.key, machineId)
  return { ...requested.managedDisk, storageAccountType: storage, id: disk.id }
}

function defaultStorage(body: MachineBody): string {
  const premium = /^Standard_(?:DS|B|[A-Z]+\d+[a-z]*s)/.test(body.properties.hardwareProfile?.vmSize ?? '')
  return premium ? 'Premium_LRS' : 'Standard_LRS'
}

function imageIdOf({ body, platform, call, location }: DiskRequest): string {
  const image = body.properties.storageProfile.imageReference
  if (image?.id !== undefined) return image.id
  const { publisher, offer, sku } = image ?? {}
  const version = platform?.version
  return `/Subscriptions/${param(call, 'subscription')}/Providers/Microsoft.Compute/Locations/${location}/Publishers/${publisher}/ArtifactTypes/VMImage/Offers/${offer}/Skus/${sku}/Versions/${version}`
}
