import { z } from 'zod'
import type { AzureCloud } from '../cloud.ts'
import { keyOf } from '../arm/ids.ts'
import { param, versions, type Operation } from '../arm/operation.ts'
import { envelope, readBody, without } from '../arm/read-body.ts'
import { invalidParameter, Refusal } from '../arm/refusal.ts'
import { galleryLevel, galleryType, putTarget, putInGallery, commonOperations } from './gallery-resource.ts'
import { durationOf } from '../durations.ts'

const galleryShape = z.looseObject({
  ...envelope,
  properties: z.looseObject({ description: z.string().optional() }).optional(),
})

export function galleryOperations(cloud: AzureCloud): Operation[] {
  return [
    {
      name: 'Galleries_CreateOrUpdate',
      method: 'PUT',
      path: galleryLevel.path,
      versions: versions.galleries,
      handle: (call) => {
        const body = readBody(call, galleryShape)
        const target = putTarget(cloud, call, galleryLevel, body.location)
        const { id, name } = target
        const subscription = param(call, 'subscription')
        refuseBadName(name)
        refuseTakenName(cloud, subscription, name, id)
        const properties = {
          ...without(body.properties ?? {}, 'provisioningState', 'sharingStatus'),
          identifier: { uniqueName: `${subscription}-${name.toUpperCase()}` },
        }
        const plan = { effect: 'gallery.written', seconds: durationOf('gallery', name) }
        return putInGallery(cloud, call, target, { tags: body.tags, doc: { properties } }, plan)
      },
    },
    ...commonOperations(cloud, galleryLevel),
  ]
}

function refuseBadName(name: string): void {
  if (/^[A-Za-z0-9][\w.]{0,78}[A-Za-z0-9]$/.test(name)) return
  throw invalidParameter(
    'galleryName',
    `The entity name 'galleryName' is invalid according to its validation rule: ^[^_\\W][\\w-._]{0,79}(?<![-.])$.`,
  )
}

/** The name of a gallery is unique in its subscription, across all groups. */
function refuseTakenName(cloud: AzureCloud, subscription: string, name: string, id: string): void {
  const b = cloud.resources
    .ofType(galleryType)
    .find((gallery) => gallery.subscription === subscription.toLowerCase() && same(gallery.name, name))
  if (b === undefined || b.key === keyOf(id)) return
  throw new Refusal(
    409,
    'GalleryNameNotAvailable',
    `The gallery name '${name}' is used already in this subscription, by ${b.id}.`,
  )
}

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()
