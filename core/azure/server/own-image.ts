import type { AzureImage } from './azure-spec.ts'
import { callOrNull } from './calls.ts'
import type { AzureClients } from './clients.ts'
import { parseImageDefinitionId, SECURITY_TYPE, TRUSTED_LAUNCH } from './gallery-names.ts'
import { memoize } from './memoize.ts'

export interface OwnImage {
  /** Returns true if the image contains its accounts. Azure refuses an osProfile for such an image. */
  readonly specialized: boolean
  readonly trustedLaunch: boolean
  /** Purchase plan of the original image, which its copies need too. */
  readonly plan: { readonly name?: string; readonly publisher?: string; readonly product?: string } | null
}

const CACHE_MS = 10 * 60_000
const TIMEOUT_MS = 30_000

/** Returns a function that reads a gallery image's definition, cached for 10 minutes; null for any other image. */
export function ownImages({ compute, subscriptionId }: AzureClients) {
  const cache = memoize<OwnImage>(CACHE_MS)
  return async (image: AzureImage): Promise<OwnImage | null> => {
    const place = image.kind === 'own' ? parseImageDefinitionId(image.id) : null
    if (place === null) return null
    // A gallery in another subscription can be used, but not read with this client.
    if (place.subscriptionId.toLowerCase() !== subscriptionId.toLowerCase())
      return { specialized: true, trustedLaunch: false, plan: null }
    const { resourceGroup, gallery, definition } = place
    return cache.get(`${resourceGroup}/${gallery}/${definition}`.toLowerCase(), async () => {
      const { body } = await callOrNull('read the image', AbortSignal.timeout(TIMEOUT_MS), (options) =>
        compute.galleryImages.get(resourceGroup, gallery, definition, options),
      )
      const security = body?.features?.find(({ name }) => name === SECURITY_TYPE)?.value
      return {
        specialized: body?.osState !== 'Generalized',
        trustedLaunch: security === TRUSTED_LAUNCH,
        plan: body?.purchasePlan ?? null,
      }
    })
  }
}
