import type { AzureCloud } from '../cloud.ts'
import { keyOf } from '../arm/ids.ts'
import { parseLocation, refuseMove } from '../arm/locations.ts'
import { paths, param, versions, type Answer, type Call, type Operation } from '../arm/operation.ts'
import { statusHeaders } from '../arm/polls.ts'
import { readBody, without } from '../arm/read-body.ts'
import { concurrentRequest, type Refusal } from '../arm/refusal.ts'
import type { Resource } from '../arm/resources.ts'
import { requireGroupNotDeleting } from '../groups/existing-group.ts'
import { idIn } from '../groups/existing-resource.ts'
import { durationOf } from '../durations.ts'
import { hashAccount } from './accounts.ts'
import { galleryImageOf, platformImageOf, refuseBadImage } from './images.ts'
import { machineShape, osOf, type MachineBody, type Os } from './machine-body.ts'
import { networkInterfacesFor } from './machine-network-interfaces.ts'
import { hashPassword, refuseChanged } from './machine-changes.ts'
import { makeDisks } from './machine-disks.ts'
import { refuseBadName, refuseBadProfile, refuseMissingReferences } from './machine-refusals.ts'
import { beginUpdate, modelOf } from './machine-update.ts'
import { machineType } from './machine-view.ts'
import { reserveNetworkInterfaces } from './reserved-network-interfaces.ts'
import { refuseUnavailableEncryption } from './encryption.ts'
import { refuseOverQuota } from './quotas.ts'
import { securityOf } from './security-type.ts'
import { sizeOf, type Size } from './sizes.ts'
import { refuseWithheld } from './withheld-sizes.ts'
import { refuseDisallowedSize } from '../policy/policy-assignments.ts'

export function machineCreateOperations(cloud: AzureCloud): Operation[] {
  return [
    {
      name: 'VirtualMachines_CreateOrUpdate',
      method: 'PUT',
      path: paths.item(machineType),
      versions: versions.compute,
      handle: (call) => {
        const body = readBody(call, machineShape)
        const group = requireGroupNotDeleting(cloud, call)
        const id = idIn(call, group, machineType)
        const location = parseLocation(body.location, machineType)
        const existing = cloud.resources.find(keyOf(id))
        if (existing !== undefined) return change(cloud, call, group, existing, body, location)
        return create(cloud, call, group, id, body, location)
      },
      refused: (call, refusal) => reserveNetworkInterfacesOf(cloud, call, refusal),
    },
  ]
}

/** Errors that Azure detects only after it has reserved the machine's network interfaces. */
const lateRefusals = new Set(['SkuNotAvailable', 'AllocationFailed', 'OperationNotAllowed'])

function reserveNetworkInterfacesOf(cloud: AzureCloud, call: Call, { status, code }: Refusal): void {
  if (status !== 409 || !lateRefusals.has(code) || cloud.resources.find(keyOf(call.path)) !== undefined) return
  const body = machineShape.safeParse(call.body)
  const networkInterfaces = body.data?.properties.networkProfile?.networkInterfaces ?? []
  const ids = networkInterfaces.map(({ id }) => id)
  reserveNetworkInterfaces(cloud, call.path, ids, call.now)
}

function create(
  cloud: AzureCloud,
  call: Call,
  group: Resource,
  id: string,
  body: MachineBody,
  location: string,
): Answer {
  const subscription = param(call, 'subscription')
  const name = param(call, 'name')
  refuseBadName(name)
  const size = sizeOf(body)
  refuseDisallowedSize(cloud, group, name, size.name)
  const galleryImage = galleryImageOf(cloud, body, location)
  const definition = galleryImage?.definition ?? null
  const platform = galleryImage === null ? platformImageOf(cloud, body, location) : null
  const os = definition?.osType ?? platform?.os ?? osOf(body)
  const generation = definition?.hyperVGeneration ?? platform?.generation ?? 'V2'
  refuseBadImage(cloud, subscription, name, body, definition)
  refuseBadProfile(body, os, definition?.osState ?? null)
  refuseUnavailableEncryption(cloud, body)
  const securityProfile = securityOf(body, definition, platform)
  refuseMissingReferences(cloud, group, body)
  const networkInterfaces = networkInterfacesFor(cloud, id, body, location, call.now)
  refuseWithheld(cloud, location, size.name)
  refuseOverQuota(cloud, subscription, location, size)

  const created = cloud.resources.add(
    {
      id,
      type: machineType,
      subscription,
      group: group.key,
      name,
      state: 'Creating',
      location,
      tags: body.tags,
      doc: {},
    },
    call.now,
  )
  const suffix = created.uid.replaceAll('-', '')
  const machineName = name
  const machineId = id
  const storageProfile = makeDisks({
    cloud,
    call,
    group,
    body,
    os,
    generation,
    platform,
    location,
    machineId,
    machineName,
    suffix,
  })
  const doc = { ...documentOf(body, size, os, storageProfile, securityProfile), generation }
  cloud.resources.change(created.key, { doc })
  for (const networkInterface of networkInterfaces)
    cloud.resources.link(created.key, 'networkInterface', networkInterface.key, id)
  cloud.machines.add(
    {
      uid: created.uid,
      key: created.key,
      id,
      name,
      group: group.key,
      groupName: group.name,
      subscription,
      location,
      size,
      os,
      tags: body.tags,
      password: hashPassword(created.uid, body.properties.osProfile?.adminPassword),
    },
    call.now,
  )
  const { adminUsername, adminPassword } = body.properties.osProfile ?? {}
  if (adminUsername !== undefined && adminPassword !== undefined) {
    cloud.accounts.set(created.uid, hashAccount(adminUsername, adminPassword))
  } else if (galleryImage !== null) {
    cloud.accounts.copy(galleryImage.version.uid, created.uid)
  }
  return beginCreation(cloud, call, created, 201)
}

function beginCreation(cloud: AzureCloud, call: Call, machine: Resource, status: 200 | 201): Answer {
  const { os } = cloud.machines.get(machine.uid)
  const seconds = durationOf(os === 'Windows' ? 'machineCreateWindows' : 'machineCreateLinux', machine.name)
  const plan = { effect: 'machine.created', seconds }
  const operation = cloud.operations.begin(call, machine, plan)
  return { status, headers: statusHeaders(cloud, call, operation), body: modelOf(cloud, machine.key) }
}

/** Accepts an unchanged body, changes of tags and size, and a retry of a failed creation. */
function change(
  cloud: AzureCloud,
  call: Call,
  group: Resource,
  existing: Resource,
  body: MachineBody,
  location: string,
): Answer {
  refuseMove(existing.name, group.name, existing.location, location)
  if (existing.state === 'Deleting') throw concurrentRequest()
  const machine = cloud.machines.get(existing.uid)
  refuseChanged(existing, machine, body)
  const size = sizeOf(body)
  if (size.name.toLowerCase() !== machine.size.toLowerCase()) {
    refuseDisallowedSize(cloud, group, existing.name, size.name)
    resize(cloud, call, existing, size)
  }
  cloud.resources.change(existing.key, { tags: body.tags })
  cloud.machines.setTags(existing.uid, body.tags)
  const inProgress = cloud.operations.findInProgress(existing.key)
  if (inProgress !== undefined) {
    return { status: 200, headers: statusHeaders(cloud, call, inProgress), body: modelOf(cloud, existing.key) }
  }
  if ((existing.state === 'Failed' || existing.state === 'Canceled') && machine.power === null) {
    cloud.resources.setState(existing.key, 'Creating')
    cloud.machines.recordProvisioning(existing.uid, call.now, null)
    return beginCreation(cloud, call, existing, 200)
  }
  return beginUpdate(cloud, call, cloud.resources.get(existing.key))
}

function resize(cloud: AzureCloud, call: Call, existing: Resource, size: Size): void {
  if (cloud.operations.findInProgress(existing.key) !== undefined) throw concurrentRequest()
  refuseOverQuota(cloud, param(call, 'subscription'), existing.location, size)
  cloud.machines.resize(existing.uid, size)
  const properties = { ...(existing.doc.properties as object), hardwareProfile: { vmSize: size.name } }
  cloud.resources.change(existing.key, { doc: { ...existing.doc, properties } })
}

const windowsDefaults = {
  provisionVMAgent: true,
  enableAutomaticUpdates: true,
  patchSettings: { patchMode: 'AutomaticByOS', assessmentMode: 'ImageDefault' },
}

const linuxDefaults = {
  disablePasswordAuthentication: false,
  provisionVMAgent: true,
  patchSettings: { patchMode: 'ImageDefault', assessmentMode: 'ImageDefault' },
}

function documentOf(
  body: MachineBody,
  size: Size,
  os: Os,
  storageProfile: Record<string, unknown>,
  securityProfile: object | undefined,
): Record<string, unknown> {
  const { osProfile } = body.properties
  const readOnly = ['provisioningState', 'instanceView', 'vmId', 'timeCreated']
  const shownProfile =
    osProfile === undefined
      ? {}
      : {
          osProfile: {
            secrets: [],
            allowExtensionOperations: true,
            requireGuestProvisionSignal: true,
            ...without(osProfile, 'adminPassword', 'customData'),
            ...(os === 'Windows'
              ? { windowsConfiguration: { ...windowsDefaults, ...osProfile.windowsConfiguration } }
              : { linuxConfiguration: { ...linuxDefaults, ...osProfile.linuxConfiguration } }),
          },
        }
  return {
    ...(body.plan === undefined ? {} : { plan: body.plan }),
    ...(body.zones === undefined ? {} : { zones: body.zones }),
    ...(body.identity === undefined ? {} : { identity: body.identity }),
    ...(body.extendedLocation === undefined ? {} : { extendedLocation: body.extendedLocation }),
    properties: {
      ...without(body.properties, ...readOnly, 'userData', 'securityProfile'),
      ...(securityProfile === undefined ? {} : { securityProfile }),
      hardwareProfile: { ...body.properties.hardwareProfile, vmSize: size.name },
      storageProfile,
      ...shownProfile,
    },
  }
}
