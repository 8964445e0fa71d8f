import type { AzureCloud } from '#src/azure/cloud.ts'
import { keyOf } from '#src/azure/arm/ids.ts'
import type { Call } from '#src/azure/arm/operation.ts'
import { param } from '#src/azure/arm/operation.ts'
import { invalidParameter } from '#src/azure/arm/refusal.ts'
import type { Resource } from '#src/azure/arm/resources.ts'
import { addDisk, attachable, refuseTakenDiskName } from '#src/azure/compute/disks.ts'
import type { PlatformImage } from '#src/azure/compute/images.ts'
import type { MachineBody, Os } from '#src/azure/compute/machine-body.ts'

type OsDisk = MachineBody['properties']['storageProfile']['osDisk']
type DataDisk = NonNullable<MachineBody['properties']['storageProfile']['dataDisks']>[number]

interface Making {
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
  /** 32 characters that no other machine has: they end the names of disks nobody named. */
  readonly suffix: string
}

/** Makes and attaches the machine's disks; answers with its storage profile as Azure will show it. */
export function makeDisks(making: Making): Record<string, unknown> {
  const { storageProfile } = making.body.properties
  const { imageReference, osDisk, dataDisks } = storageProfile
  return {
    ...storageProfile,
    ...(imageReference === undefined ? {} : { imageReference: { ...imageReference, ...exactVersion(making) } }),
    osDisk: makeOsDisk(making, osDisk),
    dataDisks: (dataDisks ?? []).map((disk) => makeDataDisk(making, disk)),
  }
}

function exactVersion({ platform }: Making): { exactVersion?: string } {
  return platform === null ? {} : { exactVersion: platform.version }
}

function makeOsDisk(making: Making, asked: OsDisk): Record<string, unknown> {
  const name = asked.name ?? `${making.machineName}_OsDisk_1_${making.suffix}`
  const sizeGb = asked.diskSizeGB ?? (making.os === 'Windows' ? 127 : 30)
  const shown = { caching: 'ReadWrite', deleteOption: 'Detach', ...asked, name, osType: making.os }
  if (asked.vhd !== undefined) return shown
  const creation = { createOption: 'FromImage', imageReference: { id: imageIdOf(making) } }
  return { ...shown, diskSizeGB: sizeGb, managedDisk: attach(making, asked, name, sizeGb, making.os, creation) }
}

function makeDataDisk(making: Making, asked: DataDisk): Record<string, unknown> {
  const name = asked.name ?? `${making.machineName}_DataDisk_${asked.lun}_${making.suffix}`
  const shown = { caching: 'None', deleteOption: 'Detach', toBeDetached: false, ...asked, name }
  if (asked.vhd !== undefined) return shown
  const sizeGb = asked.diskSizeGB ?? 32
  if (asked.createOption === 'Empty' && asked.diskSizeGB === undefined) {
    throw invalidParameter(
      `dataDisks[${asked.lun}].diskSizeGB`,
      "Required parameter 'dataDisk.diskSizeGB' is missing (null).",
    )
  }
  const creation = { createOption: 'Empty' }
  return { ...shown, diskSizeGB: sizeGb, managedDisk: attach(making, asked, name, sizeGb, undefined, creation) }
}

function attach(
  making: Making,
  asked: OsDisk | DataDisk,
  name: string,
  sizeGb: number,
  os: Os | undefined,
  creation: Record<string, unknown>,
): Record<string, unknown> {
  const { cloud, call, group, body, location, machineId } = making
  const existing = asked.createOption === 'Attach' ? asked.managedDisk?.id : undefined
  if (asked.createOption === 'Attach' && existing === undefined) {
    throw invalidParameter('managedDisk.id', "Required parameter 'managedDisk.id' is missing (null).")
  }
  const storage = asked.managedDisk?.storageAccountType ?? usualStorage(body)
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
            system: os === undefined ? undefined : { os, generation: making.generation },
            sizeGb,
            storage,
            creation,
            tags: body.tags,
            zones: body.zones,
          },
          call.now,
        )
      : attachable(cloud, existing)
  cloud.resources.link(keyOf(machineId), 'disk', disk.key, machineId)
  return { ...asked.managedDisk, storageAccountType: storage, id: disk.id }
}

function usualStorage(body: MachineBody): string {
  const premium = /^Standard_(?:DS|B|[A-Z]+\d+[a-z]*s)/.test(body.properties.hardwareProfile?.vmSize ?? '')
  return premium ? 'Premium_LRS' : 'Standard_LRS'
}

function imageIdOf({ body, platform, call, location }: Making): string {
  const image = body.properties.storageProfile.imageReference
  if (image?.id !== undefined) return image.id
  const { publisher, offer, sku } = image ?? {}
  const version = platform?.version
  return `/Subscriptions/${param(call, 'subscription')}/Providers/Microsoft.Compute/Locations/${location}/Publishers/${publisher}/ArtifactTypes/VMImage/Offers/${offer}/Skus/${sku}/Versions/${version}`
}
