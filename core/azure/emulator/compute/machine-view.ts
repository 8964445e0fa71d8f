import { iso } from '@trainyard/platform/emulator/clock/clock.ts'
import { envelopeOf } from '../arm/envelope.ts'
import { listedId } from '../arm/ids.ts'
import type { Failure } from '../arm/operation.ts'
import type { Resource } from '../arm/resources.ts'
import type { Machine } from './machines.ts'

export const machineType = 'Microsoft.Compute/virtualMachines'

interface Status {
  readonly code: string
  readonly level: 'Info' | 'Error'
  readonly displayStatus: string
  readonly message?: string
  readonly time?: string
}

/** Has no tags, an empty hardware profile and little else (azure-sdk-for-go#18565). Azure sometimes omits the power. */
export function statusView(resource: Resource, machine: Machine, withoutPower: boolean): unknown {
  const statuses = statusesOf(resource, machine)
  return {
    name: resource.name,
    id: listedId(resource.id),
    type: resource.type,
    location: resource.location,
    properties: {
      hardwareProfile: {},
      provisioningState: resource.state,
      vmId: resource.uid,
      instanceView: { statuses: withoutPower ? statuses.slice(0, 1) : statuses },
    },
  }
}

export function machineView(
  resource: Resource,
  machine: Machine,
  viewKind: 'model' | 'with power',
): Record<string, unknown> {
  const { plan, zones, identity, extendedLocation, properties } = resource.doc as {
    plan?: unknown
    zones?: unknown
    identity?: unknown
    extendedLocation?: unknown
    properties: Record<string, unknown>
  }
  const envelope = envelopeOf(resource)
  const readOnlyProperties = {
    vmId: resource.uid,
    provisioningState: resource.state,
    timeCreated: iso(resource.createdAt),
  }
  return {
    ...envelope,
    ...(plan === undefined ? {} : { plan }),
    ...(zones === undefined ? {} : { zones }),
    ...(identity === undefined ? {} : { identity }),
    ...(extendedLocation === undefined ? {} : { extendedLocation }),
    etag: `"${resource.revision}"`,
    properties: {
      ...properties,
      ...(resource.state === 'Creating'
        ? { storageProfile: unfinishedStorage(properties.storageProfile as Storage) }
        : {}),
      ...readOnlyProperties,
      ...(viewKind === 'model' ? {} : { instanceView: instanceView(resource, machine) }),
    },
  }
}

interface Storage {
  readonly osDisk: ShownDisk
  readonly dataDisks?: readonly ShownDisk[]
}

interface ShownDisk {
  readonly name?: string
  readonly managedDisk?: { readonly id?: string }
}

/** Disks that are still being created have no IDs, and only names from the request. */
function unfinishedStorage({ osDisk, dataDisks, ...rest }: Storage): Storage {
  return {
    ...rest,
    osDisk: withoutId(osDisk),
    ...(dataDisks === undefined ? {} : { dataDisks: dataDisks.map(withoutId) }),
  }
}

function withoutId({ name, managedDisk, ...disk }: ShownDisk): ShownDisk {
  const { id: _, ...kind } = managedDisk ?? {}
  return {
    ...disk,
    ...(name === undefined || /_OsDisk_1_|_disk\d+_/.test(name) ? {} : { name }),
    ...(managedDisk === undefined ? {} : { managedDisk: kind }),
  }
}

export function instanceView(resource: Resource, machine: Machine): unknown {
  const { storageProfile, osProfile } = resource.doc.properties as {
    storageProfile: { osDisk: { name: string }; dataDisks?: { name: string }[] }
    osProfile?: { computerName?: string }
  }
  const isRunning = machine.power === 'running'
  const disks = [storageProfile.osDisk, ...(storageProfile.dataDisks ?? [])]
  const agentReady: Status = {
    code: 'ProvisioningState/succeeded',
    level: 'Info',
    displayStatus: 'Ready',
    message: 'Guest Agent is running',
    time: iso(machine.changed_at),
  }
  return {
    ...(isRunning
      ? {
          ...(osProfile?.computerName === undefined ? {} : { computerName: osProfile.computerName }),
          osName: machine.os === 'Windows' ? 'Windows Server 2022 Datacenter' : 'ubuntu',
          osVersion: machine.os === 'Windows' ? 'Microsoft Windows NT 10.0.20348.0' : '22.04',
          vmAgent: { vmAgentVersion: '2.7.41491.1173', statuses: [agentReady], extensionHandlers: [] },
        }
      : {}),
    hyperVGeneration: generationOf(resource),
    disks: disks.map(({ name }) => ({
      name,
      statuses: [
        {
          code: 'ProvisioningState/succeeded',
          level: 'Info',
          displayStatus: 'Provisioning succeeded',
          time: iso(resource.createdAt),
        },
      ],
    })),
    statuses: statusesOf(resource, machine),
  }
}

export const generationOf = ({ doc }: Resource): 'V1' | 'V2' => doc.generation as 'V1' | 'V2'

function statusesOf(resource: Resource, machine: Machine): Status[] {
  const { power } = machine
  const provisioning = provisioningStatus(resource.state, machine)
  if (power === null) return [provisioning]
  return [provisioning, { code: `PowerState/${power}`, level: 'Info', displayStatus: `VM ${power}` }]
}

function provisioningStatus(state: string, machine: Machine): Status {
  const time = iso(machine.changed_at)
  if (state === 'Succeeded') {
    return { code: 'ProvisioningState/succeeded', level: 'Info', displayStatus: 'Provisioning succeeded', time }
  }
  if (state === 'Failed' || state === 'Canceled') {
    const failure = machine.failure === null ? null : (JSON.parse(machine.failure) as Failure)
    return {
      code: [`ProvisioningState/${state.toLowerCase()}`, ...(failure === null ? [] : [failure.code])].join('/'),
      level: 'Error',
      displayStatus: `Provisioning ${state.toLowerCase()}`,
      ...(failure === null ? {} : { message: failure.message }),
      time,
    }
  }
  return { code: `ProvisioningState/${state.toLowerCase()}`, level: 'Info', displayStatus: state, time }
}
