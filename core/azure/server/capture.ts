import type { GalleryImage, GalleryImageVersion } from '@azure/arm-compute'
import type { Capture, Deletion } from '@trainyard/templates/server/cloud.ts'
import type { AzureImageSpec } from './azure-spec.ts'
import { CloudError, oneLine } from '@trainyard/platform/server/providers/errors.ts'
import { callOrNull, startOperation, type CreatedResource } from './calls.ts'
import type { AzureClients } from './clients.ts'
import {
  definitionName,
  galleryName,
  IMAGE_TAG,
  IMAGE_VERSION,
  SECURITY_TYPE,
  TRUSTED_LAUNCH,
} from './gallery-names.ts'
import { diskName, sharedTags } from './names.ts'
import { waitUntilProvisioned } from './wait-until-provisioned.ts'

/** Performs the next step. The image is specialized, because generalizing would make the machine unusable. */
export async function captureStep(clients: AzureClients, spec: AzureImageSpec, signal: AbortSignal): Promise<Capture> {
  const { compute } = clients
  const id = versionId(clients, spec)
  const existing = await readVersion(clients, spec, signal)
  if (existing !== null) return { id, ...stateOf(existing) }
  const source = await sourceOf(clients, spec, signal)
  await ensureGallery(clients, spec, signal)
  await ensureDefinition(clients, spec, source, signal)
  const accepted = await startOperation(`copy the machine ${spec.name}`, signal, (options) =>
    compute.galleryImageVersions.beginCreateOrUpdate(
      spec.resourceGroup,
      galleryName(spec),
      definitionName(spec),
      IMAGE_VERSION,
      {
        location: spec.location,
        tags: { ...spec.tags, [IMAGE_TAG]: spec.id },
        publishingProfile: { targetRegions: [{ name: spec.location, regionalReplicaCount: 1 }] },
        storageProfile: { source: { virtualMachineId: source.id } },
      },
      options,
    ),
  )
  return accepted.body.provisioningState === 'Succeeded'
    ? { id, state: 'ready' }
    : { id, state: 'working', progress: 0 }
}

/** Performs the next step of a deletion. The gallery is not deleted, because other images may need it. */
export async function discardStep(clients: AzureClients, spec: AzureImageSpec, signal: AbortSignal): Promise<Deletion> {
  const { galleryImages, galleryImageVersions } = clients.compute
  const place = [spec.resourceGroup, galleryName(spec), definitionName(spec)] as const
  const version = await callOrNull('read the image', signal, (options) =>
    galleryImageVersions.get(...place, IMAGE_VERSION, options),
  )
  if (version.body !== null) {
    if (isDeleting(version.body)) return { at: version.at, remaining: 'something' }
    const { at } = await startOperation('delete the image', signal, (options) =>
      galleryImageVersions.beginDelete(...place, IMAGE_VERSION, options),
    )
    return { at, remaining: 'something' }
  }
  const definition = await callOrNull('read the definition of the image', signal, (options) =>
    galleryImages.get(...place, options),
  )
  if (definition.body === null) return { at: definition.at, remaining: 'nothing' }
  if (isDeleting(definition.body)) return { at: definition.at, remaining: 'something' }
  const { at } = await startOperation('delete the definition of the image', signal, (options) =>
    galleryImages.beginDelete(...place, options),
  )
  return { at, remaining: 'something' }
}

function versionId({ subscriptionId }: AzureClients, spec: AzureImageSpec): string {
  const gallery = `/subscriptions/${subscriptionId}/resourceGroups/${spec.resourceGroup}/providers/Microsoft.Compute/galleries/${galleryName(spec)}`
  return `${gallery}/images/${definitionName(spec)}/versions/${IMAGE_VERSION}`
}

async function readVersion({ compute }: AzureClients, spec: AzureImageSpec, signal: AbortSignal) {
  const { body } = await callOrNull('read the image', signal, (options) =>
    compute.galleryImageVersions.get(spec.resourceGroup, galleryName(spec), definitionName(spec), IMAGE_VERSION, {
      ...options,
      expand: 'ReplicationStatus',
    }),
  )
  return body
}

type State =
  | { readonly state: 'working'; readonly progress: number }
  | { readonly state: 'ready' }
  | { readonly state: 'failed'; readonly reason: string }

function stateOf({ provisioningState, replicationStatus }: GalleryImageVersion): State {
  const regions = replicationStatus?.summary ?? []
  if (provisioningState === 'Succeeded') return { state: 'ready' }
  if (provisioningState === 'Failed') {
    const details = regions.map(({ details }) => details ?? '').find((text) => text !== '')
    return { state: 'failed', reason: oneLine(details ?? 'Azure gave no reason.') }
  }
  // Only the provisioning state tells that the image is ready, not its progress. If no region is listed, nothing has
  // been copied yet.
  const copied = regions.map(({ progress }) => progress ?? 0)
  return { state: 'working', progress: copied.length === 0 ? 0 : Math.min(99, ...copied) }
}

interface Source {
  readonly id: string
  readonly generation: 'V1' | 'V2'
  readonly plan: GalleryImage['purchasePlan']
  /**
   * True for Trusted Launch, which second-generation machines use by default. Machines created from the image must use
   * it too.
   */
  readonly trustedLaunch: boolean
}

async function sourceOf({ compute }: AzureClients, spec: AzureImageSpec, signal: AbortSignal): Promise<Source> {
  const { name, resourceGroup } = spec
  const machine = await callOrNull(`read the machine ${name}`, signal, (options) =>
    compute.virtualMachines.get(resourceGroup, name, options),
  )
  if (machine.body?.id === undefined) throw new CloudError('refused', `The machine ${name} no longer exists at Azure.`)
  const disk = await callOrNull(`read the disk of ${name}`, signal, (options) =>
    compute.disks.get(resourceGroup, diskName(spec), options),
  )
  const { plan } = machine.body
  return {
    id: machine.body.id,
    // Azure refuses a definition whose generation differs from the generation of its source. The default is V1.
    generation: disk.body?.hyperVGeneration === 'V2' ? 'V2' : 'V1',
    trustedLaunch: machine.body.securityProfile?.securityType === TRUSTED_LAUNCH,
    plan: plan && { name: plan.name, publisher: plan.publisher, product: plan.product },
  }
}

async function ensureGallery({ compute }: AzureClients, spec: AzureImageSpec, signal: AbortSignal): Promise<void> {
  const { resourceGroup, location } = spec
  const name = galleryName(spec)
  const read = async () =>
    (await callOrNull('read the gallery', signal, (options) => compute.galleries.get(resourceGroup, name, options)))
      .body
  const existing = await read()
  if (existing === null || hasFailed(existing)) {
    await startOperation(`create the gallery ${name}`, signal, (options) =>
      compute.galleries.beginCreateOrUpdate(
        resourceGroup,
        name,
        { location, tags: { ...spec.tags, ...sharedTags } },
        options,
      ),
    )
    await waitUntilProvisioned(`the gallery ${name}`, null, read, signal)
  } else await waitUntilProvisioned(`the gallery ${name}`, existing, read, signal)
}

async function ensureDefinition(
  { compute }: AzureClients,
  spec: AzureImageSpec,
  source: Source,
  signal: AbortSignal,
): Promise<void> {
  const { id, location, name, os, resourceGroup } = spec
  const place = [resourceGroup, galleryName(spec), definitionName(spec)] as const
  const read = async () =>
    (
      await callOrNull('read the definition of the image', signal, (options) =>
        compute.galleryImages.get(...place, options),
      )
    ).body
  const existing = await read()
  if (existing === null || hasFailed(existing)) {
    await startOperation(`define the image of ${name}`, signal, (options) =>
      compute.galleryImages.beginCreateOrUpdate(
        ...place,
        {
          location,
          tags: { ...spec.tags, [IMAGE_TAG]: id },
          osType: os,
          osState: 'Specialized',
          hyperVGeneration: source.generation,
          // Azure refuses `TrustedLaunchSupported` with a machine as source (hashicorp/packer-plugin-azure#304,
          // microsoft/STL#4682).
          ...(source.trustedLaunch ? { features: [{ name: SECURITY_TYPE, value: TRUSTED_LAUNCH }] } : {}),
          // The combination of these fields must be unique in the gallery.
          identifier: { publisher: 'trainyard', offer: name, sku: id },
          purchasePlan: source.plan,
        },
        options,
      ),
    )
    await waitUntilProvisioned(`the definition of the image of ${name}`, null, read, signal)
  } else await waitUntilProvisioned(`the definition of the image of ${name}`, existing, read, signal)
}

const hasFailed = ({ provisioningState }: CreatedResource): boolean => provisioningState === 'Failed'
const isDeleting = ({ provisioningState }: CreatedResource): boolean => provisioningState === 'Deleting'
