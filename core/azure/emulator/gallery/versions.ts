import { z } from 'zod'
import type { AzureCloud } from '../cloud.ts'
import { iso } from '@trainyard/platform/emulator/clock/clock.ts'
import { keyOf } from '../arm/ids.ts'
import { parseLocation } from '../arm/locations.ts'
import type { Effect } from '../arm/long-operations.ts'
import { versions, type Answer, type Call, type Operation, type Failure } from '../arm/operation.ts'
import { envelope, readBody, without } from '../arm/read-body.ts'
import { concurrentRequest, invalidParameter, Refusal } from '../arm/refusal.ts'
import type { Resource } from '../arm/resources.ts'
import { isTrusted, securityTypeOf } from '../compute/security-type.ts'
import { generationOf } from '../compute/machine-view.ts'
import { definitionIn } from './definitions.ts'
import {
  galleryView,
  putTarget,
  putInGallery,
  commonOperations,
  versionLevel,
  versionType,
} from './gallery-resource.ts'
import { durationOf } from '../durations.ts'

const versionShape = z.looseObject({
  ...envelope,
  properties: z.looseObject({
    publishingProfile: z
      .looseObject({ targetRegions: z.array(z.looseObject({ name: z.string() })).optional() })
      .optional(),
    storageProfile: z.looseObject({
      // Older api-versions name a machine as `id`.
      source: z.looseObject({ virtualMachineId: z.string().optional(), id: z.string().optional() }).optional(),
    }),
  }),
})

interface Inside {
  readonly machine: string
  readonly machineUid: string
  readonly failure: string | null
}

/** Each version is a copy of a machine's disks at the time of the request. */
export function versionOperations(cloud: AzureCloud): Operation[] {
  return [
    {
      name: 'GalleryImageVersions_CreateOrUpdate',
      method: 'PUT',
      path: versionLevel.path,
      versions: versions.galleries,
      handle: (call) => putVersion(cloud, call),
    },
    ...commonOperations(cloud, versionLevel, (version, { query, now }) =>
      query.$expand?.toLowerCase() === 'replicationstatus'
        ? { replicationStatus: replicationOf(cloud, version, now) }
        : {},
    ),
  ]
}

function putVersion(cloud: AzureCloud, call: Call): Answer {
  const body = readBody(call, versionShape)
  const putTargetOfVersion = putTarget(cloud, call, versionLevel, body.location)
  const { id, name, location, existing } = putTargetOfVersion
  if (!/^\d+\.\d+\.\d+$/.test(name)) {
    throw invalidParameter('galleryImageVersionName', `The version name '${name}' must be Major.Minor.Patch in digits.`)
  }
  const { virtualMachineId, id: sourceId } = body.properties.storageProfile.source ?? {}
  const requested = virtualMachineId ?? sourceId
  if (requested === undefined || !/\/virtualMachines\/[^/]+$/i.test(requested)) {
    throw invalidParameter(
      'galleryImageVersion.properties.storageProfile.source',
      'The emulator creates image versions only from machines: set virtualMachineId.',
    )
  }
  if (existing !== undefined) {
    if ((existing.doc.inside as Inside).machine !== keyOf(requested)) {
      throw new Refusal(
        409,
        'PropertyChangeNotAllowed',
        "Changing property 'galleryImageVersion.properties.storageProfile.source' is not allowed.",
        { target: 'galleryImageVersion.properties.storageProfile.source' },
      )
    }
    if (existing.state === 'Succeeded') return { status: 200, body: galleryView(existing) }
  }
  const machine = sourceOf(cloud, requested, versionLevel.parent(cloud, call), location)
  const inside: Inside = { machine: machine.key, machineUid: machine.uid, failure: null }
  const regions = body.properties.publishingProfile?.targetRegions ?? [{ name: location }]
  refuseBadRegions(regions, location)
  const properties = {
    ...without(body.properties, 'provisioningState', 'replicationStatus'),
    publishingProfile: {
      replicaCount: 1,
      excludeFromLatest: false,
      publishedDate: iso(call.now),
      storageAccountType: 'Standard_LRS',
      ...body.properties.publishingProfile,
      targetRegions: regions.map((region) => ({
        regionalReplicaCount: 1,
        storageAccountType: 'Standard_LRS',
        ...region,
      })),
    },
    safetyProfile: { reportedForPolicyViolation: false, allowDeletionOfReplicatedLocations: false },
  }
  const plan = { effect: 'gallery.version-made', seconds: durationOf('imageVersion', machine.name) }
  const answer = putInGallery(cloud, call, putTargetOfVersion, { tags: body.tags, doc: { properties, inside } }, plan)
  // The copy contains the disk as it is now, including its accounts.
  cloud.accounts.copy(machine.uid, cloud.resources.get(keyOf(id)).uid)
  return answer
}

function sourceOf(cloud: AzureCloud, id: string, image: Resource, location: string): Resource {
  const machine = cloud.resources.find(keyOf(id))
  const target = 'galleryImageVersion.properties.storageProfile.source.virtualMachineId'
  if (machine === undefined || machine.state === 'Deleting') {
    throw new Refusal(404, 'ResourceNotFound', `The source virtual machine ${id} was not found.`, { target })
  }
  if (machine.location !== location) {
    throw invalidParameter(target, `The source '${id}' is in ${machine.location}, the image version in ${location}.`)
  }
  if (cloud.operations.findInProgress(machine.key) !== undefined) throw concurrentRequest()
  const { osState, osType, hyperVGeneration } = definitionIn(image)
  const record = cloud.machines.get(machine.uid)
  if (osState === 'Generalized') {
    throw new Refusal(
      409,
      'OperationNotAllowed',
      `The virtual machine ${machine.name} is not generalized; the image definition ${image.name} takes generalized sources only.`,
    )
  }
  if (osType !== record.os) {
    throw invalidParameter(target, `The source runs ${record.os}, the image definition is for ${osType}.`)
  }
  const generation = generationOf(machine)
  if (hyperVGeneration !== generation) {
    throw invalidParameter(
      target,
      `The source's Hyper-V generation is ${generation}, the image definition's is ${hyperVGeneration}.`,
    )
  }
  const security = securityTypeOf(definitionIn(image))
  // The message is quoted in hashicorp/packer-plugin-azure#304.
  if (security === 'TrustedLaunchSupported') {
    throw invalidParameter(
      target,
      `The security type 'TrustedLaunchSupported' is not supported for the source id '${id}'. Currently only Vhd Blob, User Image and Gallery Image Version sources are supported for 'TrustedLaunchSupported' images.`,
    )
  }
  if ((security === 'TrustedLaunch') !== isTrusted(machine)) {
    throw invalidParameter(
      target,
      `The security type of the source '${id}' is ${isTrusted(machine) ? 'TrustedLaunch' : 'Standard'}, the image definition's is ${security ?? 'Standard'}.`,
    )
  }
  return machine
}

function refuseBadRegions(regions: readonly { name: string }[], location: string): void {
  const regionNames = regions.map(({ name }) => parseLocation(name, versionType))
  if (regionNames.includes(location)) return
  throw invalidParameter(
    'galleryImageVersion.properties.publishingProfile.targetRegions',
    `The target regions must contain the location of the image version, ${location}.`,
  )
}

function replicationOf(cloud: AzureCloud, version: Resource, now: number): unknown {
  const { publishingProfile } = version.doc.properties as {
    publishingProfile: { targetRegions: { name: string }[] }
  }
  const { failure } = version.doc.inside as Inside
  const inProgress = cloud.operations.findInProgress(version.key)
  const total = inProgress?.endsAt == null ? 1 : inProgress.endsAt - inProgress.startedAt
  const elapsed = inProgress === undefined ? total : now - inProgress.startedAt
  const progress = version.state === 'Succeeded' ? 100 : Math.min(99, Math.floor((elapsed / total) * 100))
  const [aggregatedState, state] =
    failure !== null
      ? ['Failed', 'Failed']
      : version.state === 'Succeeded'
        ? ['Completed', 'Completed']
        : ['InProgress', 'Replicating']
  return {
    aggregatedState,
    summary: publishingProfile.targetRegions.map(({ name }) => ({
      region: name,
      state,
      details: failure ?? '',
      progress: failure === null ? progress : 0,
    })),
  }
}

/** @throws Refusal if no completed version exists in this location */
export function requireImageVersion(
  cloud: AzureCloud,
  id: string,
  location: string,
): { version: Resource; image: Resource } {
  const [, definition = '', name] = /^(.*\/galleries\/[^/]+\/images\/[^/]+)(?:\/versions\/([^/]+))?$/i.exec(id) ?? []
  const image = cloud.resources.find(keyOf(definition))
  const ready = image === undefined ? [] : cloud.resources.parts(image.key).filter(({ state }) => state === 'Succeeded')
  const version = name === undefined || name === 'latest' ? ready.at(-1) : ready.find((each) => each.name === name)
  if (image !== undefined && version !== undefined && regionsOf(version).includes(location)) return { version, image }
  throw new Refusal(
    404,
    'GalleryImageNotFound',
    `The gallery image ${id} is not available in ${location} region. Please contact image owner to replicate to this region, or change your requested region.`,
    { target: 'imageReference' },
  )
}

function regionsOf(version: Resource): string[] {
  const { publishingProfile } = version.doc.properties as {
    publishingProfile: { targetRegions: { name: string }[] }
  }
  return publishingProfile.targetRegions.map(({ name }) => parseLocation(name, versionType))
}

export function versionEffects(cloud: AzureCloud): Record<string, Effect> {
  return {
    'gallery.version-made': ({ target }, instant, failure) => {
      const version = cloud.resources.get(target)
      const inside = version.doc.inside as Inside
      const source = cloud.resources.find(inside.machine)
      const missingSource: Failure | null =
        source?.uid === inside.machineUid
          ? null
          : { code: 'ResourceNotFound', message: 'The source virtual machine was deleted while it was being copied.' }
      const reason = failure ?? missingSource
      const { storageProfile, publishingProfile, ...rest } = version.doc.properties as Record<string, object>
      const properties = {
        ...rest,
        publishingProfile: { ...publishingProfile, ...(reason === null ? { publishedDate: iso(instant) } : {}) },
        storageProfile: { ...storageProfile, osDiskImage: { sizeInGB: 30, hostCaching: 'ReadWrite', source: {} } },
      }
      cloud.resources.change(target, {
        state: reason === null ? 'Succeeded' : 'Failed',
        doc: {
          properties,
          inside: { ...inside, failure: reason === null ? null : `${reason.code}: ${reason.message}` },
        },
      })
    },
  }
}
