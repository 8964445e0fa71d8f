import { createHash } from 'node:crypto'
import type { AzureImageSpec } from './azure-spec.ts'

export const IMAGE_TAG = 'trainyard-image'

/**
 * Version number of every image. Each image has a separate definition with one version, because a definition has the
 * properties of the captured machine.
 */
export const IMAGE_VERSION = '1.0.0'

export const SECURITY_TYPE = 'SecurityType'
export const TRUSTED_LAUNCH = 'TrustedLaunch'

/**
 * Returns the name of the gallery (letters, digits, dots, underscores). Azure requires it to be unique in the
 * subscription, so it contains a hash of the resource group.
 */
export function galleryName({ resourceGroup, location }: AzureImageSpec): string {
  const hash = createHash('sha256').update(resourceGroup.toLowerCase()).digest('hex').slice(0, 10)
  return `trainyard_${location.toLowerCase().replace(/[^a-z0-9]/g, '')}_${hash}`
}

export const definitionName = ({ id }: AzureImageSpec): string => `image-${id}`

export interface ImageDefinitionId {
  readonly subscriptionId: string
  readonly resourceGroup: string
  readonly gallery: string
  readonly definition: string
}

export function parseImageDefinitionId(id: string): ImageDefinitionId | null {
  const parts =
    /^\/subscriptions\/([^/]+)\/resourceGroups\/([^/]+)\/providers\/Microsoft\.Compute\/galleries\/([^/]+)\/images\/([^/]+)/i.exec(
      id,
    )
  if (parts === null) return null
  const [, subscriptionId = '', resourceGroup = '', gallery = '', definition = ''] = parts
  return { subscriptionId, resourceGroup, gallery, definition }
}
