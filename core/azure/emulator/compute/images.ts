import type { AzureCloud } from '../cloud.ts'
import { invalidParameter, Refusal } from '../arm/refusal.ts'
import type { Resource } from '../arm/resources.ts'
import { findPublishedImage, type CataloguedImage, type ImageName } from './image-catalogue.ts'
import type { ImageReference, MachineBody } from './machine-body.ts'
import { type Definition, definitionIn } from '../gallery/definitions.ts'
import { requireImageVersion } from '../gallery/versions.ts'
import { hasAccepted } from '../marketplace/agreements.ts'

/** Azure offers images of these publishers without a plan; others are sold in the marketplace. */
const platformPublishers = new Set(
  `canonical debian redhat suse oracle openlogic kinvolk almalinux credativ coreos microsoftwindowsserver
microsoftwindowsdesktop microsoftsqlserver microsoftvisualstudio microsoftsharepoint microsoftcblmariner
microsoft-dsvm microsoft-azure-compute`.split(/\s+/),
)

export type PlatformImage = CataloguedImage & { readonly version: string }

const ownImage =
  /^\/subscriptions\/[^/]+\/resourcegroups\/[^/]+\/providers\/microsoft\.compute\/(?:images\/[^/]+|galleries\/[^/]+\/images\/[^/]+(?:\/versions\/[^/]+)?)$/i

const galleryImage = /\/galleries\//i

export function galleryImageOf(
  cloud: AzureCloud,
  body: MachineBody,
  location: string,
): { version: Resource; definition: Definition } | null {
  const id = body.properties.storageProfile.imageReference?.id
  if (id === undefined || !ownImage.test(id) || !galleryImage.test(id)) return null
  const { version, image } = requireImageVersion(cloud, id, location)
  return { version, definition: definitionIn(image) }
}

export function platformImageOf(cloud: AzureCloud, body: MachineBody, location: string): PlatformImage | null {
  const image = body.properties.storageProfile.imageReference
  if (image === undefined || image.id !== undefined) return null
  if (image.sharedGalleryImageId !== undefined || image.communityGalleryImageId !== undefined) return null
  const reference = refuseIncomplete(image)
  const found = findPublishedImage(cloud, reference, location)
  const version = reference.version === 'latest' ? found?.versions.at(-1) : reference.version
  if (found === undefined || version === undefined || !found.versions.includes(version)) throw imageNotFound(image)
  return { ...found, version }
}

/** @throws Refusal for a marketplace image without its plan or without accepted terms, and for an invalid image ID */
export function refuseBadImage(
  cloud: AzureCloud,
  subscription: string,
  name: string,
  body: MachineBody,
  definition: Definition | null,
): void {
  const image = body.properties.storageProfile.imageReference
  if (image === undefined) return
  if (image.id !== undefined) {
    if (!ownImage.test(image.id)) {
      throw invalidParameter(
        'imageReference.id',
        `The value '${image.id}' of parameter 'imageReference.id' is invalid.`,
      )
    }
    refuseOtherPlan(name, body.plan, definition?.purchasePlan)
    return
  }
  if (image.sharedGalleryImageId !== undefined || image.communityGalleryImageId !== undefined) return
  const publisher = image.publisher ?? ''
  const { plan } = body
  if (platformPublishers.has(publisher.toLowerCase())) {
    if (plan === undefined) return
    throw marketplaceInput(
      `Plan information is not expected for the platform image '${publisher}:${image.offer}:${image.sku}'. VM: '${name}'.`,
    )
  }
  if (plan === undefined) {
    throw marketplaceInput(
      `Creating a virtual machine from Marketplace image or a custom image sourced from a Marketplace image requires Plan information in the request. VM: '${name}'.`,
    )
  }
  if (!same(plan.publisher, publisher) || !same(plan.product, image.offer) || !same(plan.name, image.sku)) {
    throw marketplaceInput(
      `Unable to deploy from the Marketplace image or a custom image sourced from Marketplace image. The part number in the purchase information for VM '${name}' is not as expected. Beware that the Plan object's properties are case-sensitive.`,
    )
  }
  if (hasAccepted(cloud, subscription, publisher, plan.product ?? '', plan.name ?? '')) return
  throw new Refusal(
    400,
    'MarketplacePurchaseEligibilityFailed',
    `Marketplace purchase eligibility check returned errors. See inner errors for details. You have not accepted the legal terms on this subscription: '${subscription}' for this plan. Before the subscription can be used, you need to accept the legal terms of the image.`,
  )
}

const same = (a: string | undefined, b: string | undefined): boolean => a?.toLowerCase() === b?.toLowerCase()

/** A copy of a purchased image needs the same plan. */
function refuseOtherPlan(name: string, plan: MachineBody['plan'], purchasePlan: Definition['purchasePlan']): void {
  if (purchasePlan === undefined) return
  const parts = ['name', 'publisher', 'product'] as const
  if (plan !== undefined && parts.every((part) => same(plan[part], purchasePlan[part]))) return
  throw marketplaceInput(
    `Creating a virtual machine from Marketplace image or a custom image sourced from a Marketplace image requires Plan information in the request. VM: '${name}'.`,
  )
}

function refuseIncomplete({ publisher, offer, sku, version }: ImageReference): ImageName & { version: string } {
  return {
    publisher: required('publisher', publisher),
    offer: required('offer', offer),
    sku: required('sku', sku),
    version: required('version', version),
  }
}

function required(part: string, value: string | undefined): string {
  if (value !== undefined && value !== '') return value
  throw invalidParameter(`imageReference.${part}`, `Required parameter 'imageReference.${part}' is missing (null).`)
}

function imageNotFound(image: ImageReference): Refusal {
  return new Refusal(
    404,
    'PlatformImageNotFound',
    `The platform image '${image.publisher}:${image.offer}:${image.sku}:${image.version}' is not available. Verify that all fields in the storage profile are correct. For more details about storage profile information, please refer to https://aka.ms/storageprofile`,
    { target: 'imageReference' },
  )
}

function marketplaceInput(message: string): Refusal {
  return new Refusal(400, 'VMMarketplaceInvalidInput', message)
}
