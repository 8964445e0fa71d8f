import type { MachineImage } from '../cloud.ts'
import { find } from './ask.ts'
import type { AzureClients } from './clients.ts'
import { definitionPlace, SECURITY_TYPE, TRUSTED_LAUNCH } from './gallery-names.ts'
import { once } from './once.ts'

/** The facts that Azure wants of a machine besides its image's id. */
export interface OwnImage {
  /** Its accounts come with it, and Azure refuses an osProfile. */
  readonly specialized: boolean
  /** Azure makes machines of it that ask to be Trusted Launch, and no others. */
  readonly trustedLaunch: boolean
  /** The plan of the original, which was bought and is bought again. */
  readonly plan: { readonly name?: string; readonly publisher?: string; readonly product?: string } | null
}

const REMEMBER = 10 * 60_000
const TIME_LIMIT = 30_000

/** Reads the definitions of gallery images, each once for all machines made of it; null: no image of a gallery. */
export function ownImages({ compute, subscriptionId }: AzureClients) {
  const known = once<OwnImage>(REMEMBER)
  return async (image: MachineImage): Promise<OwnImage | null> => {
    const place = image.kind === 'own' ? definitionPlace(image.id) : null
    if (place === null) return null
    // Another subscription's gallery can be used and not be read by this client.
    if (place.subscriptionId.toLowerCase() !== subscriptionId.toLowerCase())
      return { specialized: true, trustedLaunch: false, plan: null }
    const { resourceGroup, gallery, definition } = place
    return known.get(`${resourceGroup}/${gallery}/${definition}`.toLowerCase(), async () => {
      const { body } = await find('look at the image', AbortSignal.timeout(TIME_LIMIT), (options) =>
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
