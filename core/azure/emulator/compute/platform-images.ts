import type { AzureCloud } from '../cloud.ts'
import { parseLocation } from '../arm/locations.ts'
import { param, versions, type Call, type Operation } from '../arm/operation.ts'
import { Refusal } from '../arm/refusal.ts'
import { findPublishedImage, type CataloguedImage } from './image-catalogue.ts'

const list =
  '/subscriptions/:subscription/providers/Microsoft.Compute/locations/:location/publishers/:publisher/artifacttypes/vmimage/offers/:offer/skus/:sku/versions'

/** Replies are recorded from azure-cli-extensions. */
export function platformImageOperations(cloud: AzureCloud): Operation[] {
  const requested = (call: Call): { readonly image: CataloguedImage; readonly view: (version: string) => object } => {
    const location = parseLocation(param(call, 'location'), 'locations/publishers')
    const [publisher, offer, sku] = ['publisher', 'offer', 'sku'].map((part) => param(call, part)) as [
      string,
      string,
      string,
    ]
    // The message is quoted in vagrant-azure#147 for a version, in azvmimagebuilder#80 for the list of a missing image.
    const image = findPublishedImage(cloud, { publisher, offer, sku }, location)
    if (image === undefined) throw new Refusal(404, 'NotFound', 'Artifact: VMImage was not found.')
    const above = `/Subscriptions/${param(call, 'subscription')}/Providers/Microsoft.Compute/Locations/${location}/Publishers/${publisher}/ArtifactTypes/VMImage/Offers/${offer}/Skus/${sku}`
    return { image, view: (name) => ({ location, name, id: `${above}/Versions/${name}` }) }
  }
  return [
    {
      name: 'VirtualMachineImages_List',
      method: 'GET',
      path: list,
      versions: versions.compute,
      handle: (call) => {
        const { image, view } = requested(call)
        return { status: 200, body: image.versions.map(view) }
      },
    },
    {
      name: 'VirtualMachineImages_Get',
      method: 'GET',
      path: `${list}/:version`,
      versions: versions.compute,
      handle(call) {
        const { image, view } = requested(call)
        const version = param(call, 'version')
        if (!image.versions.includes(version)) throw new Refusal(404, 'NotFound', 'Artifact: VMImage was not found.')
        const properties = {
          hyperVGeneration: image.generation,
          architecture: 'x64',
          osDiskImage: { operatingSystem: image.os },
          dataDiskImages: [],
        }
        return { status: 200, body: { ...view(version), properties } }
      },
    },
  ]
}
