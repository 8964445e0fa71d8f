import type { AzureCloud } from '#src/azure/cloud.ts'
import { placeNamed } from '#src/azure/arm/locations.ts'
import { param, versions, type Call, type Operation } from '#src/azure/arm/operation.ts'
import { Refusal } from '#src/azure/arm/refusal.ts'

/** An image of a publisher's, of whatever version. */
export interface PlatformImage {
  readonly publisher: string
  readonly offer: string
  readonly sku: string
}

/** The version that stands for the latest, where a list is asked for. */
const LATEST = '2026.10.12'

const settingOf = ({ publisher, offer, sku }: PlatformImage, location: string): string =>
  `image ${publisher}:${offer}:${sku} ${location}`.toLowerCase()

/** Takes an image out of a region, or puts it back. */
export function setPublished(cloud: AzureCloud, image: PlatformImage, location: string, published: boolean): void {
  cloud.settings.write(settingOf(image, location), published ? 'yes' : 'no')
}

export const isPublished = (cloud: AzureCloud, image: PlatformImage, location: string): boolean =>
  cloud.settings.read(settingOf(image, location)) !== 'no'

const list =
  '/subscriptions/:subscription/providers/Microsoft.Compute/locations/:location/publishers/:publisher/artifacttypes/vmimage/offers/:offer/skus/:sku/versions'

/** A publisher's images, by their versions; the shapes are recorded from azure-cli-extensions. */
export function platformImageOperations(cloud: AzureCloud): Operation[] {
  const asked = (call: Call): { readonly location: string; readonly view: (version: string) => object } => {
    const location = placeNamed(param(call, 'location'), 'locations/publishers')
    const [publisher, offer, sku] = ['publisher', 'offer', 'sku'].map((part) => param(call, part)) as [
      string,
      string,
      string,
    ]
    // Quoted in vagrant-azure#147 for a version, in azvmimagebuilder#80 for the list of an image that is not there.
    if (!isPublished(cloud, { publisher, offer, sku }, location)) {
      throw new Refusal(404, 'NotFound', 'Artifact: VMImage was not found.')
    }
    const above = `/Subscriptions/${param(call, 'subscription')}/Providers/Microsoft.Compute/Locations/${location}/Publishers/${publisher}/ArtifactTypes/VMImage/Offers/${offer}/Skus/${sku}`
    return { location, view: (name) => ({ location, name, id: `${above}/Versions/${name}` }) }
  }
  return [
    {
      name: 'VirtualMachineImages_List',
      method: 'GET',
      path: list,
      versions: versions.compute,
      handle: (call) => ({ status: 200, body: [asked(call).view(LATEST)] }),
    },
    {
      name: 'VirtualMachineImages_Get',
      method: 'GET',
      path: `${list}/:version`,
      versions: versions.compute,
      handle(call) {
        const properties = {
          hyperVGeneration: 'V2',
          architecture: 'x64',
          osDiskImage: { operatingSystem: /windows/i.test(param(call, 'publisher')) ? 'Windows' : 'Linux' },
          dataDiskImages: [],
        }
        return { status: 200, body: { ...asked(call).view(param(call, 'version')), properties } }
      },
    },
  ]
}
