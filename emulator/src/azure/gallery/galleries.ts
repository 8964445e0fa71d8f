import { z } from 'zod'
import type { AzureCloud } from '#src/azure/cloud.ts'
import { placeNamed, refuseMove } from '#src/azure/arm/locations.ts'
import { keyOf } from '#src/azure/arm/ids.ts'
import { param, versions, type Operation } from '#src/azure/arm/operation.ts'
import { envelope, readBody, without } from '#src/azure/arm/read-body.ts'
import { invalidParameter, Refusal } from '#src/azure/arm/refusal.ts'
import { openGroup } from '#src/azure/groups/standing-group.ts'
import {
  galleryLevel,
  galleryType,
  galleryView,
  idAt,
  putInGallery,
  removalOperation,
  standingAt,
} from '#src/azure/gallery/gallery-resource.ts'
import { latencies } from '#src/azure/latencies.ts'

const galleryShape = z.looseObject({
  ...envelope,
  properties: z.looseObject({ description: z.string().optional() }).optional(),
})

/** Azure Compute Galleries: where images of machines are kept. */
export function galleryOperations(cloud: AzureCloud): Operation[] {
  const common = { path: galleryLevel.path, versions: versions.galleries }
  return [
    {
      ...common,
      name: 'Galleries_CreateOrUpdate',
      method: 'PUT',
      handle: (call) => {
        const body = readBody(call, galleryShape)
        const group = openGroup(cloud, call)
        const name = param(call, 'name')
        const subscription = param(call, 'subscription')
        const id = idAt(cloud, call, galleryLevel)
        const location = placeNamed(body.location, galleryType)
        refuseBadName(name)
        refuseTakenName(cloud, subscription, name, id)
        const standing = cloud.resources.find(keyOf(id))
        if (standing !== undefined) refuseMove(name, group.name, standing.location, location)
        const uniqueName = `${subscription}-${name.toUpperCase()}`
        const properties = {
          ...without(body.properties ?? {}, 'provisioningState', 'sharingStatus'),
          identifier: { uniqueName },
        }
        return putInGallery(
          cloud,
          call,
          {
            id,
            type: galleryType,
            subscription,
            group: group.key,
            name,
            location,
            tags: body.tags,
            doc: { properties },
          },
          { effect: 'gallery.written', seconds: latencies.gallery },
        )
      },
    },
    {
      ...common,
      name: 'Galleries_Get',
      method: 'GET',
      handle: (call) => ({ status: 200, body: galleryView(standingAt(cloud, call, galleryLevel)) }),
    },
    removalOperation(cloud, galleryLevel),
  ]
}

function refuseBadName(name: string): void {
  if (/^[A-Za-z0-9][\w.]{0,78}[A-Za-z0-9]$/.test(name)) return
  throw invalidParameter(
    'galleryName',
    `The entity name 'galleryName' is invalid according to its validation rule: ^[^_\\W][\\w-._]{0,79}(?<![-.])$.`,
  )
}

/** A gallery's name is its subscription's, whatever group it stands in. */
function refuseTakenName(cloud: AzureCloud, subscription: string, name: string, id: string): void {
  const other = cloud.resources
    .ofType(galleryType)
    .find((gallery) => gallery.subscription === subscription.toLowerCase() && same(gallery.name, name))
  if (other === undefined || other.key === keyOf(id)) return
  throw new Refusal(
    409,
    'GalleryNameNotAvailable',
    `The gallery name '${name}' is used already in this subscription, by ${other.id}.`,
  )
}

const same = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()
