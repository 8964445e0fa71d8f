import type { MachineImage } from '../cloud.ts'
import { find } from './ask.ts'
import type { AzureClients } from './clients.ts'
import { definitionPlace, SECURITY_TYPE, TRUSTED_LAUNCH } from './gallery-names.ts'
import { once } from './once.ts'

/** The properties of our own image that the creation request depends on. */
export interface OwnImage {
  /** The image contains its accounts, and Azure refuses an osProfile. */
  readonly specialized: boolean
  /** Azure only creates Trusted Launch machines from this image. */
  readonly trustedLaunch: boolean
  /** The purchase plan of the original image, which applies to its copies too. */
  readonly plan: { readonly name?: string; readonly publisher?: string; readonly product?: string } | null
}

const REMEMBER = 10 * 60_000
const TIME_LIMIT = 30_000

/** Returns a function that reads a gallery image's definition, cached for 10 minutes; null for any other image. */
export function ownImages({ compute, subscriptionId }: AzureClients) {
  const known = once<OwnImage>(REMEMBER)
  return async (image: MachineImage): Promise<OwnImage | null> => {
    const place = image.kind === 'own' ? definitionPlace(image.id) : null
    if (place === null) return null
    // A gallery in another subscription can be used, but this client cannot read it.
    if (place.subscriptionId.toLowerCase() !== subscriptionId.toLowerCase())
      return { specialized: true, trustedLaunch: false, plan: null }
    const { resourceGroup, gallery, definition } = place
    return known.get(`${resourceGroup}/${gallery}/${definition}`.toLowerCase(), async () => {
      const { body } = await find('read the image', AbortSignal.timeout(TIME_LIMIT), (options) =>
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
