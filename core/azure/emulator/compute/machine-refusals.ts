import type { AzureCloud } from '../cloud.ts'
import { keyOf } from '../arm/ids.ts'
import { invalidParameter, resourceNotFound } from '../arm/refusal.ts'
import type { Resource } from '../arm/resources.ts'
import type { MachineBody, Os } from './machine-body.ts'
import { refuseBadOsProfile, refuseMismatch } from './os-profile.ts'

export function refuseBadName(name: string): void {
  if (/^[^_\W][\w\-.]{0,63}(?<![-.])$/.test(name)) return
  throw invalidParameter(
    'vmName',
    `The entity name 'vmName' is invalid according to its validation rule: ^[^_\\W][\\w-._]{0,63}(?<![-.])$.`,
  )
}

export function refuseBadProfile(body: MachineBody, os: Os, osState: 'Generalized' | 'Specialized' | null): void {
  const { osProfile, storageProfile } = body.properties
  const { imageReference, osDisk } = storageProfile
  if (osDisk.createOption === 'Attach') {
    if (osProfile === undefined) return
    throw invalidParameter('osProfile', "Parameter 'osProfile' is not allowed when attaching an existing disk.")
  }
  if (imageReference === undefined && osDisk.image === undefined) {
    throw invalidParameter('imageReference', "Required parameter 'imageReference' is missing (null).")
  }
  // A specialized image contains its accounts. Every other image needs them in the request.
  if (osState === 'Specialized') {
    if (osProfile === undefined) return
    throw invalidParameter('osProfile', "Parameter 'osProfile' is not allowed.")
  }
  refuseMismatch(body, os)
  if (osProfile !== undefined) {
    refuseBadOsProfile(osProfile, os)
    return
  }
  // The emulator knows nothing about an image that it does not have.
  if (osState === null && imageReference !== undefined && imageReference.publisher === undefined) return
  throw invalidParameter('osProfile', "Required parameter 'osProfile' is missing (null).")
}

/** The emulator has no availability sets, hosts and similar resources. */
export function refuseMissingReferences(cloud: AzureCloud, group: Resource, body: MachineBody): void {
  const references = ['availabilitySet', 'virtualMachineScaleSet', 'proximityPlacementGroup', 'host', 'hostGroup']
  for (const field of references) {
    const reference = body.properties[field] as { id?: string } | undefined
    if (reference?.id === undefined || cloud.resources.find(keyOf(reference.id)) !== undefined) continue
    const [, type = field, name = ''] = /\/providers\/([^/]+\/[^/]+)\/([^/]+)/i.exec(reference.id) ?? []
    throw resourceNotFound(type, name, group.name)
  }
}
