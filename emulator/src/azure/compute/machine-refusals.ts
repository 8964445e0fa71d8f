import type { AzureCloud } from '#src/azure/cloud.ts'
import { keyOf } from '#src/azure/arm/ids.ts'
import { invalidParameter, resourceNotFound } from '#src/azure/arm/refusal.ts'
import type { Resource } from '#src/azure/arm/resources.ts'
import type { MachineBody, Os } from '#src/azure/compute/machine-body.ts'
import { refuseBadOsProfile, refuseMismatch } from '#src/azure/compute/os-profile.ts'

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
  // A specialized image has its accounts inside; every other one needs them from the request.
  if (osState === 'Specialized') {
    if (osProfile === undefined) return
    throw invalidParameter('osProfile', "Parameter 'osProfile' is not allowed.")
  }
  refuseMismatch(body, os)
  if (osProfile !== undefined) {
    refuseBadOsProfile(osProfile, os)
    return
  }
  // Of an image that does not stand here, nothing is known.
  if (osState === null && imageReference !== undefined && imageReference.publisher === undefined) return
  throw invalidParameter('osProfile', "Required parameter 'osProfile' is missing (null).")
}

/** Sets, hosts and the like that the emulator has none of: naming one is naming something that is not there. */
export function refuseUnknownNeighbours(cloud: AzureCloud, group: Resource, body: MachineBody): void {
  const neighbours = ['availabilitySet', 'virtualMachineScaleSet', 'proximityPlacementGroup', 'host', 'hostGroup']
  for (const neighbour of neighbours) {
    const reference = body.properties[neighbour] as { id?: string } | undefined
    if (reference?.id === undefined || cloud.resources.find(keyOf(reference.id)) !== undefined) continue
    const [, type = neighbour, name = ''] = /\/providers\/([^/]+\/[^/]+)\/([^/]+)/i.exec(reference.id) ?? []
    throw resourceNotFound(type, name, group.name)
  }
}
