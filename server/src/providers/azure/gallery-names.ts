import { createHash } from 'node:crypto'
import type { ImageSpec } from '../cloud.ts'

/** Tag that carries our image id on what a capture brought. */
export const IMAGE_TAG = 'trainyard-image'

/** Every image of ours is the one version of a definition of its own: what one machine is says nothing of another. */
export const IMAGE_VERSION = '1.0.0'

/** The feature of a definition that says how its machines start, and the value of those that start verified. */
export const SECURITY_TYPE = 'SecurityType'
export const TRUSTED_LAUNCH = 'TrustedLaunch'

/**
 * The gallery that a resource group's images stand in. A gallery's name must be the only one in its subscription and
 * takes letters, digits, dots and underscores, so the group is in it as a mark.
 */
export function galleryName({ resourceGroup, location }: ImageSpec): string {
  const mark = createHash('sha256').update(resourceGroup.toLowerCase()).digest('hex').slice(0, 10)
  return `trainyard_${location.toLowerCase().replace(/[^a-z0-9]/g, '')}_${mark}`
}

export const definitionName = ({ id }: ImageSpec): string => `image-${id}`

/** Where an image of a gallery is defined, from an id of the definition or of one of its versions. */
export interface DefinitionPlace {
  readonly subscriptionId: string
  readonly resourceGroup: string
  readonly gallery: string
  readonly definition: string
}

export function definitionPlace(id: string): DefinitionPlace | null {
  const parts =
    /^\/subscriptions\/([^/]+)\/resourceGroups\/([^/]+)\/providers\/Microsoft\.Compute\/galleries\/([^/]+)\/images\/([^/]+)/i.exec(
      id,
    )
  if (parts === null) return null
  const [, subscriptionId = '', resourceGroup = '', gallery = '', definition = ''] = parts
  return { subscriptionId, resourceGroup, gallery, definition }
}
