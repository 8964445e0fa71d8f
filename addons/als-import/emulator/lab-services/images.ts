import { z } from 'zod'
import type { AzureCloud } from '@trainyard/azure/emulator/cloud.ts'
import { param, paths, type Call, type Operation } from '@trainyard/azure/emulator/arm/operation.ts'
import { readBody } from '@trainyard/azure/emulator/arm/read-body.ts'
import { LAB_VERSIONS, missingChild, ok, planType, requireTracked } from './lab-resource.ts'
import type { Resource } from '@trainyard/azure/emulator/arm/resources.ts'

interface PlanImage {
  readonly name: string
  readonly properties: Readonly<Record<string, unknown>>
}

const marketplace = (
  publisher: string,
  offer: string,
  sku: string,
  osType: 'Linux' | 'Windows',
  displayName: string,
): PlanImage => ({
  name: `${publisher}.${offer}.${sku}`,
  properties: {
    displayName,
    author: publisher,
    osType,
    plan: sku,
    termsStatus: 'Disabled',
    offer,
    publisher,
    sku,
    version: 'latest',
    osState: 'Generalized',
  },
})

const knownImages: readonly PlanImage[] = [
  marketplace('canonical', '0001-com-ubuntu-server-focal', '20_04-lts', 'Linux', 'Ubuntu Server 20.04 LTS'),
  marketplace('canonical', '0001-com-ubuntu-server-jammy', '22_04-lts', 'Linux', 'Ubuntu Server 22.04 LTS'),
  marketplace('microsoftwindowsdesktop', 'windows-11', 'win11-23h2-pro', 'Windows', 'Windows 11 Pro'),
]

/** Further images, so that the list has more than one page, as the real one has (about 10 MB). */
const fillerImages = Array.from({ length: 210 }, (_, index) => {
  const number = String(index + 1).padStart(3, '0')
  return marketplace(`publisher${number}`, 'appliance', `release-${number}`, 'Linux', `Appliance ${number}`)
})

const catalogue = [...knownImages, ...fillerImages].toSorted((a, b) => (a.name < b.name ? -1 : 1))

const pageSize = 200
const stateSetting = (plan: Resource, image: string): string => `plan image ${plan.uid}/${image.toLowerCase()}`
const shape = z.looseObject({ properties: z.looseObject({ enabledState: z.enum(['Enabled', 'Disabled']) }) })

export function imageOperations(cloud: AzureCloud): Operation[] {
  const list = { path: paths.children(planType, 'images'), versions: LAB_VERSIONS }
  const item = { path: paths.child(planType, 'images'), versions: LAB_VERSIONS }
  const imagesOf = (plan: Resource): readonly PlanImage[] => [...galleryImages(cloud, plan), ...catalogue]
  const view = (plan: Resource, image: PlanImage): unknown => ({
    properties: {
      provisioningState: 'Succeeded',
      ...image.properties,
      enabledState: cloud.settings.read(stateSetting(plan, image.name)) ?? 'Disabled',
    },
    id: `${plan.id}/images/${image.name}`,
    name: image.name,
    type: `${planType}/images`,
  })
  const find = (call: Call, plan: Resource): PlanImage | undefined =>
    imagesOf(plan).find(({ name }) => name.toLowerCase() === param(call, 'child').toLowerCase())
  return [
    {
      ...list,
      name: 'LabServices_Images_ListByLabPlan',
      method: 'GET',
      handle: (call) => {
        const plan = requireTracked(cloud, call, planType)
        const images = imagesOf(plan)
        const offset = Number(call.query['$skipToken'] ?? 0)
        const next = offset + pageSize
        // The link names the port and comes before the value, as recorded.
        const link = `https://management.azure.com:443${call.path}?api-version=${call.version}&$skipToken=${next}`
        return ok({
          ...(next < images.length ? { nextLink: link } : {}),
          value: images.slice(offset, next).map((image) => view(plan, image)),
        })
      },
    },
    {
      ...item,
      name: 'LabServices_Images_Get',
      method: 'GET',
      handle: (call) => {
        const plan = requireTracked(cloud, call, planType)
        const image = find(call, plan)
        return image === undefined ? missingChild() : ok(view(plan, image))
      },
    },
    ...(['PUT', 'PATCH'] as const).map((method): Operation => ({
      ...item,
      name: method === 'PUT' ? 'LabServices_Images_CreateOrUpdate' : 'LabServices_Images_Update',
      method,
      handle: (call) => {
        const body = readBody(call, shape)
        const plan = requireTracked(cloud, call, planType)
        const image = find(call, plan)
        if (image === undefined) return missingChild()
        cloud.settings.write(stateSetting(plan, image.name), body.properties.enabledState)
        return ok(view(plan, image))
      },
    })),
  ]
}

/** Returns the definitions of the gallery that is attached to the plan. Lab Services saves only specialised images. */
function galleryImages(cloud: AzureCloud, plan: Resource): PlanImage[] {
  const properties = (plan.doc as { properties: { sharedGalleryId?: unknown } }).properties
  if (typeof properties.sharedGalleryId !== 'string') return []
  return cloud.resources.parts(properties.sharedGalleryId.toLowerCase()).map(({ id, name, doc }) => {
    const definition = (doc as { properties?: { osType?: unknown; osState?: unknown } }).properties
    return {
      name,
      properties: {
        displayName: name,
        osType: definition?.osType ?? 'Linux',
        sharedGalleryId: id,
        version: 'latest',
        osState: definition?.osState ?? 'Specialized',
      },
    }
  })
}
