import { z } from 'zod'
import type { AzureCloud } from '../cloud.ts'
import { keyOf } from '../arm/ids.ts'
import { versions, type Operation } from '../arm/operation.ts'
import { envelope, readBody, without } from '../arm/read-body.ts'
import { invalidParameter, Refusal } from '../arm/refusal.ts'
import type { Resource } from '../arm/resources.ts'
import { definitionLevel, putTarget, putInGallery, commonOperations } from './gallery-resource.ts'
import { durationOf } from '../durations.ts'

const definitionShape = z.looseObject({
  ...envelope,
  properties: z.looseObject({
    osType: z.enum(['Windows', 'Linux']),
    osState: z.enum(['Generalized', 'Specialized']),
    hyperVGeneration: z.enum(['V1', 'V2']).optional(),
    features: z.array(z.looseObject({ name: z.string(), value: z.string() })).optional(),
    identifier: z.looseObject({ publisher: z.string(), offer: z.string(), sku: z.string() }),
    purchasePlan: z
      .looseObject({ name: z.string().optional(), publisher: z.string().optional(), product: z.string().optional() })
      .optional(),
  }),
})

export type Definition = z.infer<typeof definitionShape>['properties'] & { hyperVGeneration: 'V1' | 'V2' }

export const definitionIn = (image: Resource): Definition => image.doc.properties as Definition

export function definitionOperations(cloud: AzureCloud): Operation[] {
  return [
    {
      name: 'GalleryImages_CreateOrUpdate',
      method: 'PUT',
      path: definitionLevel.path,
      versions: versions.galleries,
      handle: (call) => {
        const body = readBody(call, definitionShape)
        const target = putTarget(cloud, call, definitionLevel, body.location)
        const { id, name, existing } = target
        if (!/^[A-Za-z0-9](?:[\w.-]{0,78}[A-Za-z0-9])?$/.test(name)) {
          throw invalidParameter('galleryImageName', `The image definition name '${name}' is not valid.`)
        }
        const properties: Definition = {
          architecture: 'x64',
          ...withoutEmpty(without(body.properties, 'provisioningState')),
          hyperVGeneration: body.properties.hyperVGeneration ?? 'V1',
        }
        if (existing !== undefined) refuseChanged(definitionIn(existing), properties)
        refuseTakenIdentifier(cloud, definitionLevel.parent(cloud, call), id, properties)
        const plan = { effect: 'gallery.written', seconds: durationOf('gallery', name) }
        return putInGallery(cloud, call, target, { tags: body.tags, doc: { properties } }, plan)
      },
    },
    ...commonOperations(cloud, definitionLevel),
  ]
}

/** Azure drops an empty `disallowed` object. */
function withoutEmpty<T extends Record<string, unknown>>(properties: T): T {
  return JSON.stringify(properties.disallowed) === '{}' ? without(properties, 'disallowed') : properties
}

function refuseChanged(before: Definition, requested: Definition): void {
  for (const name of ['osType', 'osState', 'hyperVGeneration'] as const) {
    if (before[name] !== requested[name]) throw notAllowed(name)
  }
  if (identifierOf(before) !== identifierOf(requested)) throw notAllowed('identifier')
}

function notAllowed(property: string): Refusal {
  return new Refusal(
    409,
    'PropertyChangeNotAllowed',
    `Changing property 'galleryImage.properties.${property}' is not allowed.`,
    {
      target: `galleryImage.properties.${property}`,
    },
  )
}

function refuseTakenIdentifier(cloud: AzureCloud, gallery: Resource, id: string, requested: Definition): void {
  const other = cloud.resources
    .parts(gallery.key)
    .find((image) => image.key !== keyOf(id) && identifierOf(definitionIn(image)) === identifierOf(requested))
  if (other === undefined) return
  throw new Refusal(
    409,
    'Conflict',
    `The gallery '${gallery.name}' has another image definition, '${other.name}', with this publisher, offer and sku.`,
  )
}

const identifierOf = ({ identifier: { publisher, offer, sku } }: Definition): string =>
  [publisher, offer, sku].join(':').toLowerCase()
